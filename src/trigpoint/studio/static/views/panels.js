// The tabs beside the desk and what they show. On a phone the desk and the map are tabs as well.
import { html } from "../html.js";
import { useCell } from "../store/cell.js";
import { isRegression, page } from "../store/page.js";
import { counted } from "../words.js";
import { ClassList } from "./class_list.js";
import { Disagreements } from "./disagreements.js";
import { Doubtful } from "./doubtful.js";
import { Files } from "./files.js";
import { Progress } from "./progress.js";

const PANELS = {
  progress: ["Progress", Progress],
  doubtful: ["Doubtful", Doubtful],
  disagreements: ["Disagree", Disagreements],
  classes: ["Classes", ClassList],
  files: ["Files", Files],
};
const PHONE = { label: ["Label"], map: ["Map"] };

/** On the desk there is always a panel: progress stands in for the tabs of a phone. */
const panelOf = (tab) => (tab in PANELS ? tab : "progress");

export function Tabs({ place }) {
  const p = useCell(page, (q) => ({
    tab: q.tab,
    disagreements: q.server?.disagreements ?? 0,
    real: isRegression(q),
  }));
  const tabs = place === "phone" ? { ...PHONE, ...PANELS } : PANELS;
  const chosen = place === "phone" ? p.tab : panelOf(p.tab);
  const names = Object.keys(tabs).filter((name) => !(p.real && name === "classes"));
  const onKey = (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const list = event.currentTarget;
    page.set({ tab: names[(names.indexOf(chosen) + step + names.length) % names.length] });
    requestAnimationFrame(() => list.querySelector("[aria-selected=true]")?.focus());
  };
  return html`
    <div class=${`tabs ${place}`} role="tablist" aria-label=${place === "phone" ? "Views" : "Figures"} onKeyDown=${onKey}>
      ${names.map(
        (name) => html`
        <button key=${name} role="tab" aria-selected=${name === chosen ? "true" : "false"} tabindex=${name === chosen ? 0 : -1} onClick=${() => page.set({ tab: name })}>
          ${tabs[name][0]}${name === "disagreements" && p.disagreements > 0 && html` <b class="badge">${counted(p.disagreements)}</b>`}
        </button>
      `,
      )}
    </div>
  `;
}

export function Panels() {
  const tab = panelOf(useCell(page, (p) => p.tab));
  const [title, View] = PANELS[tab];
  return html`<section class="panel" role="tabpanel" aria-label=${title} tabindex="0"><${View} /></section>`;
}
