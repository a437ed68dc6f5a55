// A sample as a person sees it: picture, text, or a table of its row.
import { html } from "../html.js";
import { Highlighter, Marked, useFinder } from "./marked.js";
import { Picture } from "./picture.js";

export function Content({ item }) {
  if (item.image) return html`<${Picture} item=${item} />`;
  if (item.text != null) return html`<${Text} text=${item.text} /><${Highlighter} />`;
  return html`<${Row} row=${item.row ?? [["id", item.id]]} /><${Highlighter} />`;
}

function Text({ text }) {
  const find = useFinder();
  return html`
    <div class="scrolls text" dir="auto" tabindex="0" role="region" aria-label="Text"><${Marked} text=${text} find=${find} /></div>
  `;
}

function Row({ row }) {
  const find = useFinder();
  const line = ([name, value], k) => html`
    <tr key=${k}>
      <th scope="row" dir="auto">${name}</th>
      <td dir="auto"><${Marked} text=${cell(value)} find=${find} /></td>
    </tr>
  `;
  return html`
    <div class="scrolls" tabindex="0" role="region" aria-label="Values">
      <table class="row"><tbody>${row.map(line)}</tbody></table>
    </div>
  `;
}

const cell = (value) =>
  value == null ? "–" : typeof value === "object" ? JSON.stringify(value) : String(value);
