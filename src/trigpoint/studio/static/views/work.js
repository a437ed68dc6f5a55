// The desk: one sample, large, and what to say about it.
import { html } from "../html.js";
import { skip, undo, unsure } from "../store/acts.js";
import { useCell } from "../store/cell.js";
import { current, hasPoints, isRegression, isTags, lag, page, suggestion } from "../store/page.js";
import { isViewer } from "../store/role.js";
import { leave } from "../store/visits.js";
import { labelText, sameLabel } from "../words.js";
import { Classes } from "./classes.js";
import { Content } from "./content.js";
import { Looking } from "./looking.js";
import { NoteMark, NoteTools } from "./notes.js";
import { Numbers } from "./numbers.js";
import { Pause } from "./pause.js";
import { Points } from "./points.js";
import { Tags } from "./tags.js";
import { Verdict } from "./verdict.js";

export function Work() {
  const p = useCell(page, (q) => ({
    item: current(q),
    visit: q.visit,
    real: isRegression(q),
    tags: isTags(q),
    points: hasPoints(q) && !isViewer(q),
    viewer: isViewer(q),
    lag: suggestion(q, current(q)) ? lag(q) : 0,
  }));
  const { item } = p;
  if (!item)
    return html`<section class="work" aria-label="Desk">${p.viewer ? html`<${Looking} />` : html`<${Pause} />`}</section>`;
  return html`
    <section class="work" aria-label="Desk">
      <${Head} item=${item} visit=${p.visit} lag=${p.lag} />
      ${
        p.points
          ? html`
            <${Points} key=${item.sample} item=${item} />
            ${item.check && html`<${Verdict} check=${item.check} />`}
          `
          : html`
            <section class="stage" aria-label="The sample"><${Content} key=${item.sample} item=${item} /></section>
            ${item.check && html`<${Verdict} check=${item.check} />`}
            ${!p.viewer && html`<${Answer} item=${item} real=${p.real} tags=${p.tags} />`}
          `
      }
      ${!p.viewer && html`<${Tools} real=${p.real} tags=${p.tags} />`}
    </section>
  `;
}

/** What a person can say of it: numbers, tags or a class. */
function Answer({ item, real, tags }) {
  if (real) return html`<${Numbers} key=${item.sample} item=${item} />`;
  return tags ? html`<${Tags} item=${item} />` : html`<${Classes} item=${item} />`;
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
function Head({ item, visit, lag }) {
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
  if (lag && !item.check) notes.push(`suggestion from ${lag} labels ago`);
  return html`
    <div class="head">
      <bdi class="id" title=${item.id}>${item.id}</bdi>
      <${NoteMark} item=${item} />
      <span class="notes">${notes.join(" · ")}</span>
      <${NoteTools} item=${item} />
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

function Tools({ real, tags }) {
  const tools = [
    ["Undo", "u", undo],
    ["Skip", "s", skip],
    ["Unsure", "?", unsure],
    ["Search", "/", () => page.set({ sheet: "search" })],
    ...(real ? [] : [[`Find or new ${tags ? "tag" : "class"}`, "Space", () => page.set({ sheet: "filter" })]]),
  ];
  return html`
    <div class="tools" role="toolbar" aria-label="Actions">
      ${tools.map(([name, key, run]) => html`<button key=${name} onClick=${run}>${name} <kbd>${key}</kbd></button>`)}
    </div>
  `;
}
