// A sample as a person sees it: picture, text, or a table of its row.
import { html } from "../html.js";
import { Picture } from "./picture.js";

export function Content({ item }) {
  if (item.image) return html`<${Picture} item=${item} />`;
  if (item.text != null)
    return html`<div class="scrolls text" dir="auto" tabindex="0" role="region" aria-label="Text">${item.text}</div>`;
  return html`<${Row} row=${item.row ?? [["id", item.id]]} />`;
}

function Row({ row }) {
  const line = ([name, value], k) => html`
    <tr key=${k}>
      <th scope="row" dir="auto">${name}</th>
      <td dir="auto">${cell(value)}</td>
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
