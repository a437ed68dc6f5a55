// When there is no sample to show: the pool is being read, the next ones are being chosen, or all is done.
import { html, useMemo } from "../html.js";
import { uuid } from "../store/outbox.js";
import { useCell } from "../store/cell.js";
import { send } from "../store/line.js";
import { isRegression, page } from "../store/page.js";
import { counted, figure, many, percent } from "../words.js";
import { ExportLinks } from "./files.js";
import { Stage } from "./opening.js";

export function Pause() {
  const { server, done, waiting } = useCell(page, ({ server, done, waiting }) => ({ server, done, waiting }));
  const since = useMemo(() => Date.now(), []);
  if (done) return html`<${Done} server=${server} />`;
  const words = server?.stage ? null : (waiting ?? "choosing the next samples");
  return html`
    <div class="plate">
      <${Stage} stage=${server?.stage} words=${words} since=${since} />
      <p class="quiet">The next sample comes up by itself.</p>
    </div>
  `;
}

function Done({ server }) {
  const advice = server?.advice;
  const real = isRegression(page.get());
  const more = () => send([{ client: uuid(), kind: "budget", budget: server.budget + 20 }]);
  return html`
    <div class="plate" data-testid="done">
      <h1>Done</h1>
      <p class="lead">${many(server.labeled, "label")} given. The budget of ${counted(server.budget)} is used up.</p>
      <dl class="figures">
        <div><dd>${counted(server.labeled)}</dd><dt>labels</dt></div>
        ${server.unsure > 0 && html`<div><dd>${counted(server.unsure)}</dd><dt>unsure</dt></div>`}
        ${advice?.error != null && html`<div><dd>${real ? figure(advice.error) : percent(1 - advice.error)}</dd><dt>${real ? "estimated error" : "right, estimated"}</dt></div>`}
        ${advice?.error != null && !real && html`<div><dd>${percent(1 - advice.high, 0)}–${percent(1 - advice.low, 0)}</dd><dt>its interval</dt></div>`}
      </dl>
      ${advice?.sentence && html`<p>${advice.sentence}</p>`}
      <p><button class="primary" onClick=${more}>Label 20 more</button></p>
      <h3>Take the labels along</h3>
      <${ExportLinks} />
    </div>
  `;
}
