// One thin line: the pool, how far along, how good, and whether everything is saved.
import { html } from "../html.js";
import { useCell } from "../store/cell.js";
import { openGallery } from "../store/gallery.js";
import { page } from "../store/page.js";
import { roleOf } from "../store/role.js";
import { rename } from "../store/sync.js";
import { toggleTheme } from "../theme.js";
import { counted, percent } from "../words.js";
import { Mark } from "./mark.js";

export function TopBar() {
  const p = useCell(page, ({ setup, server, annotator }) => ({ setup, server, annotator }));
  return html`
    <header class="top">
      <h1 class="name">
        <${Mark} /> <strong><bdi>${p.setup.pool.name}</bdi></strong>
        <span class="quiet wide-only">${counted(p.setup.pool.n_samples)} samples</span>
        <${News} change=${p.setup.pool.change} newer=${p.server?.newer} />
      </h1>
      ${p.server && html`<${Budget} server=${p.server} />`}
      ${p.server && html`<${Quality} server=${p.server} />`}
      <${Saved} />
      <div class="ends">
        <${Name} person=${p.setup.person} annotator=${p.annotator} />
        <button class="icon" onClick=${toggleTheme} aria-label="Light or dark" title="Light or dark"><${HalfMoon} /></button>
        <button class="small to-gallery" onClick=${() => openGallery()} title="Many samples at once">
          <${FourTiles} /> <span class="wide-only">Gallery <kbd>g</kbd></span><span class="unseen">, many samples at once</span>
        </button>
        <button class="small" onClick=${() => page.set({ sheet: "help" })} title="All keys">Keys <kbd>h</kbd></button>
      </div>
    </header>
  `;
}

/** Who is there: a name that may change, or an account of one's own. */
function Name({ person, annotator }) {
  const role = roleOf(page.get());
  if (!annotator) return html`<span class="quiet wide-only">${role}</span>`;
  if (!person) return html`<button class="plain wide-only" onClick=${rename} title="Someone else?"><bdi>${annotator}</bdi></button>`;
  return html`<button class="plain" onClick=${() => page.set({ sheet: "account" })} title=${`Your account (${role})`}><bdi>${annotator}</bdi></button>`;
}

/** What is new since the last start, or in the files since this one. */
function News({ change, newer }) {
  if (newer)
    return html`
      <span class="quiet wide-only" data-testid="news" title="Start the studio again to take this in">
        ${newer} in the files
      </span>
    `;
  return change ? html`<span class="quiet wide-only" data-testid="news" title="Since the last start">${change}</span>` : null;
}

const FourTiles = () => html`
  <svg class="four-tiles" viewBox="0 0 16 16" aria-hidden="true"><path d="M1 1h6v6H1zM9 1h6v6H9zM1 9h6v6H1zM9 9h6v6H9z" /></svg>
`;

const HalfMoon = () => html`
  <svg class="half-moon" viewBox="-10 -10 20 20" aria-hidden="true"><circle r="7.5" /><path d="M0-7.5a7.5 7.5 0 0 1 0 15z" /></svg>
`;

function Budget({ server }) {
  const told = server.spent;
  return html`
    <div class="budget">
      <progress
        max=${server.budget || 1}
        value=${Math.min(told, server.budget)}
        aria-label="Labels of the budget"
      ></progress>
      <span><b>${counted(told)}</b> <span class="quiet">of ${counted(server.budget)}</span></span>
    </div>
  `;
}

function Quality({ server }) {
  const { advice, stage } = server;
  if (!server.ready && stage) {
    const share = stage.share == null ? "…" : ` ${percent(stage.share, 0)}`;
    return html`<span class="quality quiet wide-only" data-testid="stage">${stage.name}${share}</span>`;
  }
  if (!advice?.headline)
    return html`<span class="quality quiet wide-only">${server.learning ? "learning" : ""}</span>`;
  return html`<span class="quality wide-only" title=${advice.sentence} data-testid="quality">${advice.headline}</span>`;
}

/** "saved", "saving 3" or "not saved: 12 wait". */
function Saved() {
  const line = useCell(page, (p) => p.line);
  const [state, words] =
    line.trouble && line.unsent
      ? ["bad", `not saved: ${counted(line.unsent)} wait`]
      : line.unsent
        ? ["busy", `saving ${counted(line.unsent)}`]
        : ["good", "saved"];
  return html`<span class="saved" data-state=${state} data-testid="saved"><i aria-hidden="true"></i>${words}</span>`;
}
