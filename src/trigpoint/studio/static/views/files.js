// Labels out and in. An import is tried first: what it would do is shown before it is done.
import { send } from "../api.js";
import { html, useState } from "../html.js";
import { useCell } from "../store/cell.js";
import { page } from "../store/page.js";
import { isOwner } from "../store/role.js";
import { dropLabeled } from "../store/sync.js";
import { counted } from "../words.js";

const isOfPictures = ({ pool }) => pool.kind === "images";
const hasClasses = ({ task }) => task !== "regression";

// [head, [file, name, what it is, for which studios]]
const GROUPS = [
  [
    "Labels",
    [
      ["labels.csv", "Labels, CSV", "one row for each sample that people have answered"],
      ["labels.parquet", "Labels, Parquet", "the same, typed"],
      ["answers.csv", "Everybody's answers, CSV", "one row for each label and person"],
      ["log.jsonl", "The whole log", "every event; it rebuilds this studio"],
    ],
  ],
  [
    "Predictions",
    [
      ["predictions.csv", "Predictions, CSV", "every sample: label, prediction, how sure, who says it"],
      ["predictions.parquet", "Predictions, Parquet", "the same, typed"],
    ],
  ],
  [
    "Other tools",
    [
      ["label_studio.json", "Label Studio, tasks", "every sample with labels and predictions"],
      ["label_studio.xml", "Label Studio, labeling config", "for the project that takes the tasks"],
      ["hugging_face.tar", "Hugging Face, Parquet", "a data set with a card, pictures included"],
      ["metadata.jsonl", "Hugging Face, JSON lines", "every sample; of pictures their names"],
      ["coco_keypoints.json", "COCO key points", "pictures and the points on them", (s) => s.points.length > 0],
      [
        "classes.tar",
        "Folders of classes",
        "links to pictures by label, and by sure predictions",
        (s) => isOfPictures(s) && hasClasses(s),
      ],
    ],
  ],
];

const WORDS = {
  labels: "labels",
  same: "known already",
  n_unknown: "ids not in this pool",
  unknown: "such as",
};

/** Files that hold nothing but predictions wait for the first of them. */
const waits = (file, predicted) => file.startsWith("predictions.") && !predicted;

export function ExportLinks() {
  const { setup, predicted } = useCell(page, (p) => ({
    setup: p.setup,
    predicted: (p.server?.versions.predictions ?? 0) > 0,
  }));
  const fits = ([, , , applies]) => !applies || (setup && applies(setup));
  return GROUPS.map(
    ([head, files]) => html`
    <section class="exports" key=${head} aria-label=${head}>
      <h4>${head}</h4>
      <ul class="links">
        ${files.filter(fits).map(
          ([file, name, line]) => html`
          <li key=${file}>
            ${
              waits(file, predicted)
                ? html`<span>${name}</span><span class="quiet">after the first labels</span>`
                : html`<a href=${`/api/export/${file}`} download=${file}>${name}</a><span class="quiet">${line}</span>`
            }
          </li>
        `,
        )}
      </ul>
    </section>
  `,
  );
}

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
      A table with id and label, and perhaps annotator (CSV, Parquet), an export of Label Studio (JSON, JSON-MIN, CSV,
      TSV), or a log of the studio.
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
