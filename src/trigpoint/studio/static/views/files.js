// Labels out and in. An import is tried first: what it would do is shown before it is done.
import { send } from "../api.js";
import { html, useState } from "../html.js";
import { page } from "../store/page.js";
import { isOwner } from "../store/role.js";
import { dropLabeled } from "../store/sync.js";
import { counted } from "../words.js";

const EXPORTS = [
  ["labels.csv", "Labels, CSV"],
  ["labels.parquet", "Labels, Parquet"],
  ["answers.csv", "Everybody's answers, CSV"],
  ["predictions.csv", "Predictions, CSV"],
  ["predictions.parquet", "Predictions, Parquet"],
  ["label_studio.json", "Label Studio, JSON"],
  ["log.jsonl", "The whole log, replayable"],
];

const WORDS = {
  labels: "labels",
  same: "known already",
  n_unknown: "ids not in this pool",
  unknown: "such as",
};

export const ExportLinks = () => html`
  <ul class="links">
    ${EXPORTS.map(
      ([file, name]) => html`
      <li key=${file}><a href=${`/api/export/${file}`} download=${file}>${name}</a></li>
    `,
    )}
  </ul>
`;

export function Files() {
  return html`
    <h3>Export</h3>
    <${ExportLinks} />
    ${isOwner(page.get()) && html`<${Import} />`}
  `;
}

function Import() {
  const [file, setFile] = useState(null);
  const [told, setTold] = useState(null); // {dry, counts} or {error}
  const run = async (chosen, dry) => {
    setTold({ busy: true });
    try {
      const counts = await send(
        "/api/import",
        { name: chosen.name, annotator: page.get().annotator, dry: dry ? 1 : 0 },
        chosen,
      );
      setTold({ dry, counts });
      if (!dry) dropLabeled(); // what lies on the desk may be labeled now
    } catch (error) {
      setTold({ error: error.message });
    }
  };
  const choose = (event) => {
    const chosen = event.target.files[0] ?? null;
    event.target.value = ""; // the same file may be chosen again
    setFile(chosen);
    if (chosen) run(chosen, true);
  };
  return html`
    <h3>Import labels made elsewhere</h3>
    <p class="quiet">
      A table with id and label, and perhaps annotator (CSV, Parquet), a Label Studio export, or a log of the studio.
    </p>
    <label class="file">
      <input type="file" accept=".csv,.tsv,.parquet,.json,.jsonl" onChange=${choose} /> <span>Choose a file…</span>
    </label>
    ${told?.busy && html`<p class="quiet" role="status">Reading <bdi>${file.name}</bdi>…</p>`}
    ${told?.error && html`<p class="wrong" role="alert">${told.error}</p>`}
    ${told?.counts && html`<${Told} ...${told} name=${file.name} onImport=${() => run(file, false)} />`}
  `;
}

const told = (value) => (Array.isArray(value) ? value.slice(0, 5).join(", ") : counted(value));

function Told({ counts, dry, name, onImport }) {
  const rows = Object.entries(counts)
    .filter(([key]) => key in WORDS)
    .filter(([, value]) => typeof value === "number" || (Array.isArray(value) && value.length));
  return html`
    <div role="status">
      <p>${dry ? "This is what it holds; nothing is imported yet:" : "Imported:"} <bdi>${name}</bdi></p>
      <dl class="keys">
        ${rows.map(([key, value]) => html`<div key=${key}><dt>${WORDS[key]}</dt><dd>${told(value)}</dd></div>`)}
      </dl>
      ${dry && html`<button class="primary" onClick=${onImport}>Import</button>`}
    </div>
  `;
}
