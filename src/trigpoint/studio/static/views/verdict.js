// The two answers to a label that looks wrong: keep it, or take what the others suggest.
import { html } from "../html.js";
import { accept, keep } from "../store/acts.js";
import { percent } from "../words.js";
import { Tell } from "./card.js";

export const Verdict = ({ check }) => html`
  <section class="verdicts" aria-label=${check.changed ? "Has changed" : "Looks wrong"} data-alone=${check.suggested == null ? "yes" : "no"}>
    <${Answer} name="Keep" hotkey="k" value=${check.label} run=${keep} />
    ${
      check.suggested != null &&
      html`<${Answer} name="Correct to" hotkey="Enter" value=${check.suggested} run=${accept} sure=${check.probability} />`
    }
  </section>
`;

function Answer({ name, hotkey, value, run, sure }) {
  return html`
    <button onClick=${run}>
      <span class="quiet">${name}</span> <${Tell} value=${value} />
      ${sure != null && html`<span class="quiet">${percent(sure, 0)}</span>`}
      <kbd>${hotkey}</kbd>
    </button>
  `;
}
