// A small picture, or a few words, of a sample; with its label below.
import { html } from "../html.js";
import { classColor } from "../palette.js";
import { page } from "../store/page.js";
import { recall } from "../store/samples.js";
import { labelText } from "../words.js";
import { isCrisp } from "./content.js";

/** The first words of a sample. */
function glimpse(item, length = 160) {
  if (!item) return "";
  if (item.text != null) return item.text.slice(0, length);
  return (item.row ?? [])
    .slice(0, 6)
    .map(([name, value]) => `${name} ${value}`)
    .join(" · ")
    .slice(0, length);
}

export function Thumb({ item, sample }) {
  const known = item ?? recall(sample);
  if (known?.image && isCrisp(known.size))
    return html`<img class="pixels" src=${known.image} alt="" loading="lazy" draggable=${false} />`;
  if (known ? known.image : page.get().setup.pool.kind.startsWith("image"))
    return html`<img src=${`/api/pictures/${sample}?small=1`} alt="" loading="lazy" decoding="async" draggable=${false} />`;
  return html`<span class="words" dir="auto">${glimpse(known)}</span>`;
}

/** The color of a label; none for numbers. */
export const labelColor = (value) =>
  classColor(Array.isArray(value) ? -1 : page.get().classes.indexOf(value));

function Card({ item, value, note, onClick }) {
  return html`
    <button
      class="card"
      onClick=${onClick}
      title=${item.id}
      data-sample=${item.sample}
      aria-label=${`${item.id}: ${labelText(value)}${note ? `, ${note}` : ""}`}
    >
      <span class="frame"><${Thumb} item=${item} sample=${item.sample} /></span>
      <span class="tell"><i class="dot" style=${{ "--c": labelColor(value) }}></i><bdi>${labelText(value)}</bdi></span>
      ${note && html`<span class="note">${note}</span>`}
    </button>
  `;
}

/** Many cards; a click goes through them from there. */
export const Cards = ({ items, tell, onOpen }) => html`
  <div class="cards" data-kind=${items[0]?.image ? "images" : "texts"}>
    ${items.map((item, k) => html`<${Card} key=${item.sample} item=${item} ...${tell(item)} onClick=${() => onOpen(k)} />`)}
  </div>
`;
