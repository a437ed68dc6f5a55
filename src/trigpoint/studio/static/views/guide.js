// The guidelines: what the owner wrote, and each class with its key, its line and its example. The owner edits them here.
import { html, useEffect, useState } from "../html.js";
import { markdown } from "../markdown.js";
import { classColor } from "../palette.js";
import { useCell } from "../store/cell.js";
import { hasDraft, useDraft } from "../store/drafts.js";
import { aboutClass, hasGuide, markRead, writeGuide } from "../store/guide.js";
import { isOwner } from "../store/role.js";
import { isRegression, isTags, page } from "../store/page.js";
import { fetchSamples, recall } from "../store/samples.js";
import { Thumb } from "./card.js";
import { Sheet } from "./sheet.js";

const LONGEST = 20000;

export function Guide() {
  const p = useCell(page, (q) => ({
    guide: q.guide,
    classes: isRegression(q) ? [] : q.classes,
    owner: isOwner(q),
    tags: isTags(q),
    n: q.setup.pool.n_samples,
  }));
  const [edits, setEdits] = useState(false);
  const text = p.guide?.text ?? "";
  useExamples(p);
  useEffect(markRead, [p.guide]);
  if (edits)
    return html`<${Sheet} title="Guidelines" className="guide"><${Editor} text=${text} onDone=${() => setEdits(false)} /><//>`;
  const empty = html`<p class="quiet">There are no guidelines yet.</p>`;
  return html`
    <${Sheet} title="Guidelines" className="guide">
      <div class="prose" dir="auto">${text.trim() ? markdown(text, drawer(p.n)) : !hasGuide(p) && empty}</div>
      ${p.owner && html`<button class="small" onClick=${() => setEdits(true)}>${hasDraft("guide") ? "Go on editing the guidelines" : "Edit the guidelines"}</button>`}
      ${
        p.classes.length > 0 &&
        html`
        <h3>${p.tags ? "Tags" : "Classes"}</h3>
        <dl class="class-lines">${p.classes.map((name, k) => html`<${Line} key=${name} name=${name} number=${k} n=${p.n} />`)}</dl>
      `
      }
      <div class="row"><button class="primary" onClick=${() => page.set({ sheet: null })}>Go on</button></div>
    <//>
  `;
}

function Line({ name, number, n }) {
  const { about, key } = useCell(page, (p) => ({ about: aboutClass(p, name), key: p.keys.get(name) }));
  return html`
    <div>
      <dt><i class="dot" style=${{ "--c": classColor(number) }}></i> <bdi>${name}</bdi> ${key && html`<kbd>${key}</kbd>`}</dt>
      <dd>
        <span dir="auto">${about.text}</span>
        ${about.example != null && about.example < n && html`<${Example} sample=${about.example} words=${`An example of ${name}`} />`}
      </dd>
    </div>
  `;
}

const Example = ({ sample, words }) => html`
  <span class="example" role="img" aria-label=${words || `Sample ${sample}`} title=${words}>
    <span class="frame"><${Thumb} sample=${sample} /></span>
  </span>
`;

/** Samples in the text by their numbers, with the words below; a number that the pool does not have stays a number. */
const drawer = (n) => (sample, words) =>
  sample < n
    ? html`<span class="figure"><${Example} sample=${sample} words=${words} />${words && html`<small>${words}</small>`}</span>`
    : `#${sample}`;

/** Contents of the examples, which texts and rows need before they can be shown. */
function useExamples({ guide, n }) {
  const [, draw] = useState(0);
  useEffect(() => {
    const listed = [...(guide?.text ?? "").matchAll(/!\[[^\]\n]{0,200}\]\((\d{1,10})\)/g)].map((found) => Number(found[1]));
    const examples = Object.values(guide?.classes ?? {}).map(({ example }) => example);
    const some = [...new Set([...listed, ...examples])].filter((i) => i != null && i < n && !recall(i));
    fetchSamples(some.slice(0, 200)).then(
      () => draw((k) => k + 1),
      () => {},
    );
  }, [guide]);
}

function Editor({ text, onDone }) {
  const [draft, setDraft, dropDraft] = useDraft("guide", text);
  const done = () => {
    dropDraft();
    onDone();
  };
  const save = (event) => {
    event.preventDefault();
    if (draft !== text) writeGuide(draft);
    done();
  };
  return html`
    <form class="editor" onSubmit=${save}>
      <textarea
        aria-label="Guidelines, in Markdown"
        maxlength=${LONGEST}
        rows="14"
        dir="auto"
        autofocus
        value=${draft}
        onInput=${(event) => setDraft(event.target.value)}
        onKeyDown=${(event) => event.key === "Enter" && (event.ctrlKey || event.metaKey) && save(event)}
      ></textarea>
      <p class="quiet">
        Markdown: # heading, - list, **bold**, *italic*, \`code\`, [link](https://…). ![words](12) shows sample number 12.
        A class has its line and its example in the tab Classes.
      </p>
      <div class="row">
        <button class="primary" type="submit">Save</button><button type="button" onClick=${done}>Cancel</button>
      </div>
    </form>
  `;
}
