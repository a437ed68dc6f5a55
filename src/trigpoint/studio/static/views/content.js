// A sample as a person sees it: picture, text, or a table of its row.
import { html, useState } from "../html.js";

const CRISP = 64; // pictures smaller than this many pixels show their pixels

export const isCrisp = (size) => size != null && Math.max(...size) < CRISP;

export function Content({ item }) {
  if (item.image) return html`<${Picture} item=${item} />`;
  if (item.text != null)
    return html`<div class="scrolls text" dir="auto" tabindex="0" role="region" aria-label="Text">${item.text}</div>`;
  return html`<${Row} row=${item.row ?? [["id", item.id]]} />`;
}

function Picture({ item }) {
  const [broken, setBroken] = useState(false);
  if (broken) return html`<p class="quiet center">The picture of <bdi>${item.id}</bdi> cannot be shown.</p>`;
  return html`<img
    class=${isCrisp(item.size) ? "pixels" : ""}
    src=${item.image}
    alt=${`Sample ${item.id}`}
    decoding="sync"
    draggable=${false}
    onError=${() => setBroken(true)}
  />`;
}

function Row({ row }) {
  return html`
    <div class="scrolls" tabindex="0" role="region" aria-label="Values">
      <table class="row">
        <tbody>${row.map(([name, value], k) => html`<tr key=${k}><th scope="row" dir="auto">${name}</th><td dir="auto">${cell(value)}</td></tr>`)}</tbody>
      </table>
    </div>
  `;
}

const cell = (value) =>
  value == null ? "–" : typeof value === "object" ? JSON.stringify(value) : String(value);
