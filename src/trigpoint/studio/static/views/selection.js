// What the lasso holds: how many, of which predicted class, some of them; and one label for all. It takes the place of
// the panels, so that the map stays in sight.
import { html, useEffect, useMemo, useState } from "../html.js";
import { classColor } from "../palette.js";
import { labelMany } from "../store/acts.js";
import { useCell } from "../store/cell.js";
import { isRegression, page } from "../store/page.js";
import { fetchSamples } from "../store/samples.js";
import { visit } from "../store/visits.js";
import { many } from "../words.js";
import { Cards } from "./card.js";
import { Bars } from "./progress.js";
import { tally } from "./legend.js";

const SHOWN = 24;
const ASK = 20; // more labels than this at once need a second press

export function Selection({ samples, data, onClose }) {
  const { classes, real } = useCell(page, (p) => ({ classes: p.classes, real: isRegression(p) }));
  const [items, setItems] = useState([]);
  useEffect(() => {
    let stale = false;
    fetchSamples([...samples.slice(0, SHOWN)]).then(
      (found) => stale || setItems(found),
      () => {},
    );
    return () => (stale = true);
  }, [samples]);
  const rows = useMemo(() => predicted(samples, data), [samples, data.codes, data.classes]);
  const tell = (item) => ({ value: item.label ?? item.predicted?.value ?? null });
  const open = (k) =>
    visit(
      "map",
      items.slice(k).map((item) => item.sample),
    );
  return html`
    <section class="selection" aria-label="Selected samples" data-testid="selection">
      <div class="sheet-head">
        <h2>${many(samples.length, "sample")}</h2>
        <button class="icon" onClick=${onClose} aria-label="Close the selection" title="Close (Esc)">✕</button>
      </div>
      ${
        samples.length > 0 &&
        html`
        ${!real && html`<${LabelAll} key=${rows[0]?.[0]} samples=${samples} classes=${classes} likely=${rows[0]?.[0]} onDone=${onClose} />`}
        ${rows.length > 0 && html`<h3>Predicted</h3><${Bars} rows=${rows} />`}
        <h3>Some of them</h3>
        <${Cards} items=${items} tell=${tell} onOpen=${open} />
        ${samples.length > SHOWN && html`<p class="quiet">The first ${SHOWN} are shown.</p>`}
      `
      }
    </section>
  `;
}

function predicted(samples, { codes, classes }) {
  if (!codes) return [];
  const counts = tally(
    Int16Array.from(samples, (i) => codes[i]),
    classes.length,
  );
  const rows = [...classes, "no prediction"].map((name, k) => [
    name,
    counts[k],
    classColor(k === classes.length ? -1 : k),
  ]);
  return rows
    .filter(([, n]) => n > 0)
    .sort((a, b) => b[1] - a[1])
    .slice(0, 8);
}

function LabelAll({ samples, classes, likely, onDone }) {
  const [name, setName] = useState(classes.includes(likely) ? likely : (classes[0] ?? ""));
  const [asked, setAsked] = useState(false);
  const run = () => {
    if (samples.length > ASK && !asked) return setAsked(true);
    labelMany(samples, name);
    onDone();
  };
  if (!classes.length) return null;
  return html`
    <div class="row">
      <select aria-label="Class for all" value=${name} onChange=${(event) => {
        setName(event.target.value);
        setAsked(false);
      }}>
        ${classes.map((one) => html`<option key=${one} value=${one}>${one}</option>`)}
      </select>
      <button class=${asked ? "primary" : ""} onClick=${run}>
        ${asked ? `Yes, all ${samples.length} as ${name}` : `Label all ${samples.length}`}
      </button>
      ${asked && html`<button onClick=${() => setAsked(false)}>No</button>`}
    </div>
  `;
}
