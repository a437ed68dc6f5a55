// The predictions that are least sure: worth a look.
import { html } from "../html.js";
import { useCell } from "../store/cell.js";
import { page } from "../store/page.js";
import { visit } from "../store/visits.js";
import { percent } from "../words.js";
import { Cards } from "./card.js";
import { useSampleList } from "./sample_list.js";

export function LeastSure() {
  const version = useCell(page, (p) => `${p.server?.versions.predictions}`);
  const { items, error } = useSampleList("/api/least_sure", { limit: 60 }, version);
  if (error) return html`<p class="quiet">${error}</p>`;
  if (!items) return html`<p class="quiet">Looking…</p>`;
  if (!items.length) return html`<p class="quiet">No predictions yet.</p>`;
  const samples = items.map((item) => item.sample);
  const tell = ({ predicted }) => ({
    value: predicted?.value ?? null,
    note: predicted?.probability == null ? null : percent(predicted.probability, 0),
  });
  return html`
    <p class="quiet">The least sure predictions. Click one to label it; the next ones follow.</p>
    <${Cards} items=${items} tell=${tell} onOpen=${(k) => visit("least_sure", samples.slice(k))} />
  `;
}
