// The trig point, the sign of the house.
import { html } from "../html.js";

export const Mark = () => html`
  <svg class="mark" viewBox="-10 -10 20 20" aria-hidden="true"><path d="M0-8 8.6 6.4h-17.2z" /><circle cy="1.4" r="1.7" /></svg>
`;
