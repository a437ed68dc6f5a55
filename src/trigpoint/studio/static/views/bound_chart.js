// The bound: how much noise in the graph can change what is predicted, by the number of labels. For owners.
import { html } from "../html.js";
import { useCell } from "../store/cell.js";
import { page } from "../store/page.js";
import { LineChart } from "./chart.js";

export function BoundChart() {
  const bound = useCell(page, (p) => p.server?.bound ?? []);
  if (bound.length < 2) return html`<p class="quiet">The bound appears here after a few labels.</p>`;
  return html`
    <${LineChart} points=${bound} label="The bound on the sensitivity to noise, falling with the labels" />
    <p class="quiet">How much noise in the graph can change the predictions, by number of labels: lower is safer.</p>
  `;
}
