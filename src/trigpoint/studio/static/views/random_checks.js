// Ask for random checks: samples drawn at random, whose labels tell how many of the others are right.
import { html } from "../html.js";
import { useCell } from "../store/cell.js";
import { send } from "../store/line.js";
import { uuid } from "../store/outbox.js";
import { page } from "../store/page.js";
import { many } from "../words.js";

const COUNT = 20;
const ask = () => send([{ client: uuid(), kind: "checks", count: COUNT }]);

/** A button, or how many of them are still to come. */
export function CheckNow() {
  const { left, role, all } = useCell(page, (p) => ({
    left: p.server?.checks ?? 0,
    role: p.setup.role,
    all: p.server?.labeled === p.setup.pool.n_samples,
  }));
  if (role === "viewer" || all) return null;
  if (left) return html`<span class="quiet" data-testid="checks">${many(left, "random check")} ${left === 1 ? "comes" : "come"} next.</span>`;
  return html`<button onClick=${ask} title="Samples drawn at random, without a suggestion">${COUNT} random checks now</button>`;
}
