// The desk of those who look on: no sample is theirs to label.
import { html } from "../html.js";
import { ExportLinks } from "./files.js";

export const Looking = () => html`
  <div class="plate" data-testid="looking">
    <h2>You are looking on</h2>
    <p>Your link changes nothing. Open a sample on the map, or by a search, to see it and its labels.</p>
    <h3>Download the labels</h3>
    <${ExportLinks} />
  </div>
`;
