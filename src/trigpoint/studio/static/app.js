// The studio's page: which view is on the screen, and where each part of it lies.
import { html, render, useEffect } from "./html.js";
import { watchKeys } from "./keys.js";
import { useCell } from "./store/cell.js";
import { page } from "./store/page.js";
import { isViewer } from "./store/role.js";
import { start } from "./store/sync.js";
import { applySmoothing } from "./store/zoom.js";
import { applyTheme } from "./theme.js";
import { Account } from "./views/account.js";
import { Banner } from "./views/banner.js";
import { Filter } from "./views/filter.js";
import { Guide } from "./views/guide.js";
import { Gallery } from "./views/gallery.js";
import { Help } from "./views/help.js";
import { MapPane } from "./views/map_pane.js";
import { NoteSheet } from "./views/notes.js";
import { Opening } from "./views/opening.js";
import { Panels, Tabs } from "./views/panels.js";
import { Search } from "./views/search.js";
import { Strip } from "./views/strip.js";
import { TopBar } from "./views/top_bar.js";
import { Welcome } from "./views/welcome.js";
import { Work } from "./views/work.js";

function App() {
  const { phase, tab, wide, gallery, sheet, viewer } = useCell(page, (p) => ({
    phase: p.phase,
    tab: p.tab,
    wide: p.wide,
    gallery: p.gallery,
    sheet: p.sheet,
    viewer: isViewer(p),
  }));
  useEffect(() => {
    document.documentElement.dataset.phase = phase;
  }, [phase]);
  if (phase === "opening") return html`<${Opening} />`;
  if (phase === "naming") return html`<${Welcome} />`;
  return html`
    <div class="app" data-tab=${tab} data-wide=${wide ? "yes" : "no"} data-gallery=${gallery ? "yes" : "no"}>
      <${TopBar} />
      <${Banner} />
      <nav class="views" aria-label="Views"><${Tabs} place="phone" /></nav>
      <main>
        ${gallery && html`<${Gallery} />`}
        <${Work} />
        <section class="side" aria-label="Map and figures">
          <${MapPane} />
          <${Tabs} place="desk" />
          <${Panels} />
        </section>
      </main>
      ${!viewer && html`<${Strip} />`}
      ${sheet === "help" && html`<${Help} />`}
      ${sheet === "search" && html`<${Search} />`}
      ${sheet === "filter" && html`<${Filter} />`}
      ${sheet === "guide" && html`<${Guide} />`}
      ${sheet === "note" && html`<${NoteSheet} />`}
      ${sheet === "account" && html`<${Account} />`}
      <${Said} />
    </div>
  `;
}

/** What happened, for those who listen. */
function Said() {
  const said = useCell(page, (p) => p.said);
  return html`<div class="unseen" role="status" aria-live="polite">${said}</div>`;
}

applyTheme();
applySmoothing();
watchKeys();
render(html`<${App} />`, document.getElementById("app"));
start();
