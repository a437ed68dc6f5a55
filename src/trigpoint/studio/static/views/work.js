// The desk: one sample, large, and what to say about it.
import { html } from "../html.js";
import { skip, undo, unsure } from "../store/acts.js";
import { useCell } from "../store/cell.js";
import { current, hasPoints, isRegression, page } from "../store/page.js";
import { leave } from "../store/visits.js";
import { labelText, sameLabel } from "../words.js";
import { Classes } from "./classes.js";
import { Content } from "./content.js";
import { Numbers } from "./numbers.js";
import { Pause } from "./pause.js";
import { Points } from "./points.js";
import { Verdict } from "./verdict.js";

export function Work() {
  const p = useCell(page, (q) => ({
    item: current(q),
    visit: q.visit,
    real: isRegression(q),
    points: hasPoints(q),
  }));
  const { item } = p;
  if (!item) return html`<section class="work" aria-label="Desk"><${Pause} /></section>`;
  return html`
    <section class="work" aria-label="Desk">
      <${Head} item=${item} visit=${p.visit} />
      ${
        p.points
          ? html`
            <${Points} key=${item.sample} item=${item} />
            ${item.check && html`<${Verdict} check=${item.check} />`}
          `
          : html`
            <section class="stage" aria-label="The sample"><${Content} key=${item.sample} item=${item} /></section>
            ${item.check && html`<${Verdict} check=${item.check} />`}
            ${p.real ? html`<${Numbers} key=${item.sample} item=${item} />` : html`<${Classes} item=${item} />`}
          `
      }
      <${Tools} real=${p.real} />
    </section>
  `;
}

const FROM = {
  history: "from your history",
  map: "from the map",
  least_sure: "one of the least sure",
  search: "found",
  gallery: "from the gallery",
  check: "looks wrong",
  disagreement: "people disagree",
};

/** One line of fixed height above the sample: which it is, and why it is here. */
function Head({ item, visit }) {
  const notes = [];
  if (visit)
    notes.push(
      `${FROM[visit.source]}${visit.list.length > 1 ? `, ${visit.at + 1} of ${visit.list.length}` : ""}`,
    );
  if (item.audit && !visit) notes.push("random check, without a suggestion");
  if (item.former) notes.push(`taken back: ${item.former}`);
  if (item.check) notes.push(author(item));
  else if (!item.former && item.mine != null) notes.push(`you said ${labelText(item.mine)}`);
  if (visit && !item.check && item.label != null && !sameLabel(item.label, item.mine))
    notes.push(`labeled ${labelText(item.label)}`);
  if (visit?.source === "disagreement")
    notes.push(
      Object.entries(item.labels ?? {})
        .map(([who, value]) => `${who}: ${labelText(value)}`)
        .join(", "),
    );
  return html`
    <div class="head">
      <bdi class="id" title=${item.id}>${item.id}</bdi>
      <span class="notes">${notes.join(" · ")}</span>
      ${visit && html`<button class="small" onClick=${leave}>Back to the ${visit.source === "gallery" ? "gallery" : "queue"} <kbd>Esc</kbd></button>`}
    </div>
  `;
}

/** Whose label it is that looks wrong. */
function author({ check, labels }) {
  const people = Object.keys(labels ?? {}).join(", ");
  const by = { own: "by you", file: "in a file", others: `by ${people || "others"}` }[check.whose];
  return `labeled ${labelText(check.label)} ${by}`;
}

function Tools({ real }) {
  const tools = [
    ["Undo", "u", undo],
    ["Skip", "s", skip],
    ["Unsure", "?", unsure],
    ["Search", "/", () => page.set({ sheet: "search" })],
    ...(real ? [] : [["Find or new class", "Space", () => page.set({ sheet: "filter" })]]),
  ];
  return html`
    <div class="tools" role="toolbar" aria-label="Actions">
      ${tools.map(([name, key, run]) => html`<button key=${name} onClick=${run}>${name} <kbd>${key}</kbd></button>`)}
    </div>
  `;
}
