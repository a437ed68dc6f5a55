// What the lasso holds: how many, with which labels and predictions, some of them; and one label for those without one.
// It takes the place of the panels, so that the map stays in sight.
import { html, useEffect, useMemo, useState } from "../html.js";
import { classColor } from "../palette.js";
import { labelMany } from "../store/acts.js";
import { useCell } from "../store/cell.js";
import { openGallery } from "../store/gallery.js";
import { page } from "../store/page.js";
import { isViewer } from "../store/role.js";
import { fetchSamples } from "../store/samples.js";
import { OPEN, tallyStanding, useStanding } from "../store/standing.js";
import { visit } from "../store/visits.js";
import { counted, many } from "../words.js";
import { Cards } from "./card.js";
import { Bars } from "./progress.js";
import { tally } from "./legend.js";

const SHOWN = 24;
const ASK = 20; // more labels than this at once need a second press

export function Selection({ samples, data, onClose }) {
  const { classes, labels } = useCell(page, (p) => ({
    classes: p.classes,
    labels: p.setup.task === "classification" && !isViewer(p),
  }));
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
        ${labels && html`<${LabelThem} samples=${samples} classes=${classes} likely=${rows[0]?.[0]} onDone=${onClose} />`}
        <button onClick=${() => openGallery({ of: "lasso", name: "", lasso: samples })}>Show them in the gallery</button>
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

/** One label for the samples without an answer; for the others only where that is asked for. What was the likeliest class
 * at first stays chosen when there are new predictions. */
function LabelThem({ samples, classes, likely, onDone }) {
  const standing = useStanding();
  const [name, setName] = useState(classes.includes(likely) ? likely : (classes[0] ?? ""));
  const [relabel, setRelabel] = useState(false);
  const [asked, setAsked] = useState(false);
  const kinds = useMemo(() => tallyStanding(samples, standing, classes), [samples, standing, classes]);
  const some = useMemo(() => samples.filter((i) => standing[i] === OPEN), [samples, standing]);
  const gone = !classes.includes(name); // it is called otherwise by now
  const chosen = relabel ? samples : some;
  const others = samples.length - some.length;
  const run = () => {
    if (chosen.length > ASK && !asked) return setAsked(true);
    labelMany(chosen, name, { source: "map", relabel });
    onDone();
  };
  if (!classes.length) return null;
  return html`
    <p class="kinds">${sentence(kinds, some.length, others, relabel)}</p>
    ${
      others > 0 &&
      html`
      <label class="tick">
        <input type="checkbox" checked=${relabel} onChange=${(event) => {
          setRelabel(event.target.checked);
          setAsked(false);
        }} />
        also relabel the ${counted(others)}
      </label>
    `
    }
    <div class="row">
      <select aria-label="Class for all" value=${name} onChange=${(event) => {
        setName(event.target.value);
        setAsked(false);
      }}>
        ${gone && html`<option value=${name}>${name} is no more</option>`}
        ${classes.map((one) => html`<option key=${one} value=${one}>${one}</option>`)}
      </select>
      <button class=${asked ? "primary" : ""} disabled=${!chosen.length || gone} onClick=${run}>
        ${asked ? `Yes, ${counted(chosen.length)} as ${name}` : `Label ${counted(chosen.length)}`}
      </button>
      ${asked && html`<button onClick=${() => setAsked(false)}>No</button>`}
    </div>
  `;
}

const SOME = 4; // kinds that are told one by one

/** "212 without a label, 9 labeled cat, 3 in dispute; only the 212 get the label." */
function sentence(kinds, n, others, relabel) {
  const told = kinds.slice(0, SOME).map(([words, count]) => `${counted(count)} ${words}`);
  const rest = kinds.slice(SOME).reduce((sum, [, count]) => sum + count, 0);
  const list = [...told, ...(rest ? [`${counted(rest)} with other labels`] : [])].join(", ");
  if (!others) return `${list}.`;
  if (relabel) return `${list}; all ${counted(n + others)} get the label.`;
  return n ? `${list}; only the ${counted(n)} get the label.` : `${list}; none of them gets the label.`;
}
