// Samples that people labeled differently: see who said what, and decide.
import { html } from "../html.js";
import { useCell } from "../store/cell.js";
import { page } from "../store/page.js";
import { visit } from "../store/visits.js";
import { labelText } from "../words.js";
import { Thumb } from "./card.js";
import { useSampleList } from "./sample_list.js";

const said = ([who, value]) =>
  html`<span key=${who}><bdi class="quiet">${who}</bdi> <bdi>${labelText(value)}</bdi></span>`;

export function Disagreements() {
  const { version, shown } = useCell(page, (p) => ({
    version: `${p.server?.disagreements} ${p.server?.versions.labels}`,
    shown: p.visit?.item.sample,
  }));
  const { items, error } = useSampleList("/api/disagreements", {}, version);
  if (error) return html`<p class="quiet">${error}</p>`;
  if (!items) return html`<p class="quiet">Looking…</p>`;
  if (!items.length) return html`<p class="quiet">Nobody disagrees.</p>`;
  const samples = items.map((item) => item.sample);
  return html`
    <p class="quiet">Click one: the label that you give then decides, and the next one comes up.</p>
    <ul class="disputes">
      ${items.map(
        (item, k) => html`
        <li key=${item.sample}>
          <button
            onClick=${() => visit("disagreement", samples.slice(k))}
            aria-current=${item.sample === shown ? "true" : null}
            title=${item.id}
          >
            <span class="unseen">Decide ${item.id}</span>
            <span class="frame"><${Thumb} item=${item} sample=${item.sample} /></span>
            <span class="said">${Object.entries(item.labels ?? {}).map(said)}</span>
          </button>
        </li>
      `,
      )}
    </ul>
  `;
}
