// When there is no sample to show: the pool is being read, the next ones are being chosen, or all is done.
import { get } from "../api.js";
import { html, useMemo } from "../html.js";
import { uuid } from "../store/outbox.js";
import { useCell } from "../store/cell.js";
import { send } from "../store/line.js";
import { notify, openTab, page } from "../store/page.js";
import { isOwner } from "../store/role.js";
import { visit } from "../store/visits.js";
import { counted, many } from "../words.js";
import { startCheck } from "./check.js";
import { ExportLinks } from "./files.js";
import { Stage } from "./opening.js";
import { CheckNow } from "./random_checks.js";

export function Pause() {
  const { server, done, waiting } = useCell(page, ({ server, done, waiting }) => ({ server, done, waiting }));
  const since = useMemo(() => Date.now(), []);
  if (done) return html`<${Done} server=${server} />`;
  if (waiting === "people") return html`<${Elsewhere} server=${server} />`;
  const words = server?.stage ? null : "choosing the next samples";
  return html`
    <div class="plate">
      <${Stage} stage=${server?.stage} words=${words} since=${since} />
      <p class="quiet">The next sample appears automatically.</p>
    </div>
  `;
}

const Elsewhere = ({ server }) => html`
  <div class="plate" data-testid="elsewhere">
    <h2>Others are labeling the last samples</h2>
    <p>Samples that they skip or leave appear here within about a minute.</p>
    <${Disputed} n=${server.disagreements} />
  </div>
`;

/** Samples that people label differently: somebody must decide. */
function Disputed({ n }) {
  if (!n) return null;
  const decide = async () => {
    openTab("disagreements");
    try {
      visit("disagreement", (await get("/api/disagreements")).samples);
    } catch (error) {
      notify(error.message);
    }
  };
  return html`
    <p>People disagree on ${many(n, "sample")}. The decision becomes the label.</p>
    <p><button class="primary" onClick=${decide}>Decide ${n === 1 ? "it" : `the ${counted(n)}`}</button></p>
  `;
}

/** Labels that look wrong: the time to check them is when no sample waits. */
const Suspicious = ({ n }) =>
  n > 0 &&
  html`
    <p>${many(n, "label")} ${n === 1 ? "looks" : "look"} wrong.</p>
    <p><button onClick=${startCheck}>Check ${n === 1 ? "it" : "them"}</button></p>
  `;

function Done({ server }) {
  const advice = server?.advice;
  const figures = [[counted(server.labeled), server.labeled === 1 ? "label" : "labels"]];
  if (server.unsure > 0) figures.push([counted(server.unsure), "unsure"]);
  if (server.disagreements > 0) figures.push([counted(server.disagreements), "in dispute"]);
  const more = () => send([{ client: uuid(), kind: "budget", budget: server.budget + 20 }]);
  return html`
    <div class="plate" data-testid="done">
      <h2 class="title">Done</h2>
      <p class="lead">${many(server.labeled, "label")} given. The budget of ${counted(server.budget)} is used up.</p>
      <dl class="figures">${figures.map(([n, what]) => html`<div key=${what}><dt>${what}</dt><dd>${n}</dd></div>`)}</dl>
      ${advice?.headline && html`<p class="big">${advice.headline}</p>`}
      ${advice?.sentence && html`<p>${advice.sentence}</p>`}
      ${advice?.headline && server.estimating && html`<p class="quiet">The last labels are not in this estimate yet.</p>`}
      <${Disputed} n=${server.disagreements} />
      <${Suspicious} n=${server.issues} />
      <p class="choices">
        ${isOwner(page.get()) && html`<button class=${server.disagreements ? "" : "primary"} onClick=${more}>Label 20 more</button>`}
        <${CheckNow} />
      </p>
      <h3>Download the labels</h3>
      <${ExportLinks} />
    </div>
  `;
}
