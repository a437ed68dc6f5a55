// A small picture, or a few words, of a sample; with its label below.
import { html, useLayoutEffect, useState } from "../html.js";
import { classColor } from "../palette.js";
import { useCell } from "../store/cell.js";
import { page } from "../store/page.js";
import { recall } from "../store/samples.js";
import { labelText } from "../words.js";
import { isCrisp } from "./picture.js";

/** The first words of a sample. */
export function glimpse(item, length = 160) {
  if (!item) return "";
  if (item.text != null) return item.text.slice(0, length);
  return (item.row ?? [])
    .filter(([, value]) => value !== item.id)
    .slice(0, 6)
    .map(([name, value]) => `${name} ${value}`)
    .join(" · ")
    .slice(0, length);
}

/** One that did not come leaves its place empty, and is asked for again when the server is back. */
function Small({ src, ...how }) {
  const [failed, setFailed] = useState(false);
  const cut = useCell(page, (p) => Boolean(p.lost || p.line.trouble));
  useLayoutEffect(() => {
    if (!cut) setFailed(false);
  }, [cut, src]);
  return failed
    ? null
    : html`<img ...${how} src=${src} alt="" loading="lazy" draggable=${false} onError=${() => setFailed(true)} />`;
}

export function Thumb({ item, sample }) {
  const known = item ?? recall(sample);
  if (known?.image && isCrisp(known.size))
    return html`<${Small} class="pixels" src=${known.image} />`;
  if (known ? known.image : page.get().setup.pool.kind.startsWith("image")) {
    const small = `/api/pictures/${sample}?side=160`;
    return html`<${Small} src=${small} decoding="async" />`;
  }
  return html`<span class="words" dir="auto">${glimpse(known)}</span>`;
}

/** The color of a label: of tags that of the first; none for numbers. */
export const labelColor = (value) =>
  classColor(page.get().classes.indexOf(Array.isArray(value) ? value[0] : value));

/** A label with its color. */
export const Tell = ({ value, words = labelText(value) }) => html`
  <span class="tell"><i class="dot" style=${{ "--c": labelColor(value) }}></i><bdi>${words}</bdi></span>
`;

function Card({ item, value, note, here, onClick }) {
  return html`
    <button
      class="card"
      onClick=${onClick}
      title=${item.id}
      data-sample=${item.sample}
      aria-current=${here ? "true" : null}
    >
      ${note !== item.id && html`<span class="unseen">${item.id}</span>`}
      <span class="frame"><${Thumb} item=${item} sample=${item.sample} /></span>
      <${Tell} value=${value} />
      ${item.flag && html`<span class="flag" title="Flagged"><span aria-hidden="true">⚑</span><span class="unseen">flagged</span></span>`}
      ${note && html`<span class="note">${note}</span>`}
    </button>
  `;
}

/** Many cards; a click goes through them from there. */
export function Cards({ items, tell, onOpen }) {
  const shown = useCell(page, (p) => p.visit?.item.sample);
  const card = (item, k) => html`
    <${Card} key=${item.sample} item=${item} ...${tell(item)} here=${item.sample === shown} onClick=${() => onOpen(k)} />
  `;
  return html`<div class="cards" data-kind=${items[0]?.image ? "images" : "texts"}>${items.map(card)}</div>`;
}
