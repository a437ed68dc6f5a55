// Which samples the gallery shows, in which order, and how large.
import { html, useState } from "../html.js";
import { fields, focusTiles } from "../gallery/focus.js";
import { SIZES } from "../gallery/layout.js";
import { useCell } from "../store/cell.js";
import { closeGallery, gallery, setSize, show, title } from "../store/gallery.js";
import { isRegression, page } from "../store/page.js";
import { counted, many } from "../words.js";

const SORTS = [
  ["pool", "as in the pool"],
  ["similar", "similar ones together"],
  ["uncertainty", "least sure first"],
  ["wrong", "labels that look wrong first"],
];

export function GalleryChoice() {
  const g = useCell(gallery, ({ of, name, sort, size, list, lasso, patches, versions, shown, seen }) => ({
    of,
    name,
    sort,
    size,
    list,
    lasso,
    patches,
    versions,
    shown,
    n: seen.size,
  }));
  const p = useCell(page, (q) => ({
    classes: isRegression(q) ? [] : q.classes,
    counts: q.server?.counts,
    flagged: q.server?.flagged ?? 0,
    now: q.server?.versions,
  }));
  const stale = g.of === "predicted" && p.now && g.versions && p.now.predictions !== g.versions.predictions;
  const choose = (event) => {
    const [of, name] = JSON.parse(event.target.value);
    show({ of, name });
  };
  const option = (of, name, words) => {
    const value = JSON.stringify([of, name]);
    return html`<option key=${value} value=${value}>${words ?? title({ of, name })}</option>`;
  };
  const shown = JSON.stringify([g.of, g.name]);
  const isGone = (g.of === "label" || g.of === "predicted") && g.name && !p.classes.includes(g.name);
  return html`
    <header class="choice" ...${fields}>
      <button class="small" onClick=${closeGallery}>Back <kbd>Esc</kbd></button>
      <select class="of" aria-label="Which samples" value=${shown} onChange=${choose}>
        ${option("unlabeled", "")}${option("all", "")}${option("label", "")}
        ${(p.flagged > 0 || g.of === "flagged") && option("flagged", "", `Flagged (${counted(p.flagged)})`)}
        ${g.lasso.length > 0 && option("lasso", "", `Chosen on the map (${counted(g.lasso.length)})`)}
        ${(g.of === "search" || g.of === "group" || isGone) && option(g.of, g.name)}
        <optgroup label="Predicted">${p.classes.map((name) => option("predicted", name))}</optgroup>
        <optgroup label="Labeled">
          ${p.classes.map((name) => option("label", name, `Labeled ${name} (${counted(p.counts?.[name] ?? 0)})`))}
        </optgroup>
        ${
          g.patches > 0 &&
          html`
          <optgroup label="Patches of the map">
            ${Array.from({ length: g.patches }, (_, k) => option("cluster", `${k + 1}`))}
          </optgroup>
        `
        }
      </select>
      <${Words} />
      <select class="sort" aria-label="Order" value=${g.sort} onChange=${(event) => show({ sort: event.target.value })}>
        ${SORTS.map(([name, words]) => html`<option key=${name} value=${name}>${words}</option>`)}
      </select>
      <label class="size">
        <span class="unseen">Size</span>
        <input
          type="range"
          min=${SIZES.least}
          max=${SIZES.most}
          step="10"
          value=${g.size}
          title="Size (+ −)"
          onInput=${(event) => setSize(Number(event.target.value))}
        />
      </label>
      <span class="quiet told" role="status">
        ${g.shown ? `${many(g.list.length, "sample")}, ${counted(g.n)} seen` : "Looking…"}
      </span>
      ${stale && html`<button class="small" onClick=${() => show()}>New predictions: show them</button>`}
    </header>
  `;
}

/** A search whose results are the gallery. */
function Words() {
  const [words, setWords] = useState("");
  const look = (event) => {
    event.preventDefault();
    if (!words.trim()) return;
    focusTiles();
    show({ of: "search", name: words.trim() });
  };
  return html`
    <form class="words-form" role="search" onSubmit=${look}>
      <input
        type="search"
        aria-label="Search for the gallery"
        placeholder="Search"
        maxlength="1000"
        value=${words}
        onInput=${(event) => setWords(event.target.value)}
      />
    </form>
  `;
}
