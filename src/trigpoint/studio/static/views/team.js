// The owner's page: how long it will take, who does what and how well, the links, and what happened last.
import { get } from "../api.js";
import { html, useEffect, useState } from "../html.js";
import { useCell } from "../store/cell.js";
import { page } from "../store/page.js";
import { isOwner } from "../store/role.js";
import { counted, many, percent } from "../words.js";
import { Activity } from "./activity.js";
import { ago } from "./ago.js";
import { BoundChart } from "./bound_chart.js";
import { Links } from "./links.js";

const PAUSE = 4000;

/** What a route answers, asked again every few seconds while it is shown. */
export function useNews(route, query = {}) {
  const [news, setNews] = useState(null);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let gone = false;
    const ask = () =>
      get(route, query).then(
        (found) => gone || setNews(found),
        (error) => gone || setNews((old) => old ?? { error: error.message }),
      );
    ask();
    const timer = setInterval(() => document.hidden || ask(), PAUSE);
    return () => {
      gone = true;
      clearInterval(timer);
    };
  }, [route, JSON.stringify(query), turn]);
  return [news, () => setTurn((k) => k + 1)];
}

export function Team() {
  const owner = useCell(page, isOwner);
  const [team] = useNews("/api/team");
  if (!team) return html`<p class="quiet">Looking…</p>`;
  if (team.error) return html`<p class="wrong" role="alert">${team.error}</p>`;
  return html`
    <h3>Time left</h3>
    <p class="verdict" data-testid="left">${team.sentence}</p>
    <p class="quiet">${counted(team.spent)} of ${counted(team.budget)} answers of the budget are given.</p>
    <h3>People</h3>
    ${team.members.length ? html`<${People} members=${team.members} />` : html`<p class="quiet">Nobody has labeled yet.</p>`}
    ${owner && html`<${Links} />`}
    <h3>Sensitivity to noise in the graph (the bound)</h3>
    <${BoundChart} />
    <${Activity} />
  `;
}

const People = ({ members }) => html`
  <ul class="people">
    ${members.map(
      (one) => html`
      <li key=${one.name}>
        <p><bdi class="who">${one.name}</bdi> <span class="quiet">${about(one)}</span></p>
        <dl>${figures(one).map(([what, told]) => html`<div key=${what}><dt>${what}</dt><dd>${told}</dd></div>`)}</dl>
      </li>
    `,
    )}
  </ul>
`;

const about = ({ role, seen }) =>
  [role, seen ? `here ${ago(seen)}` : "has not been here"].filter(Boolean).join(", ");

/** The figures that are known, in the order of how much they say. */
function figures(one) {
  const found = [["labels", counted(one.labels)]];
  if (one.today) found.push(["today", counted(one.today)]);
  if (one.pace != null) found.push(["a minute", one.pace < 10 ? one.pace.toFixed(1) : counted(one.pace)]);
  if (one.agreement != null)
    found.push([`agree, of ${many(one.pairs, "pair")}`, percent(one.agreement, 0)]);
  if (one.quality != null) found.push(["quality", percent(one.quality, 0)]);
  if (one.accepted != null)
    found.push([`accepted, of ${many(one.suggested, "suggestion")}`, percent(one.accepted, 0)]);
  if (one.checks) found.push(["random checks right", `${counted(one.right)} of ${counted(one.checks)}`]);
  return found;
}
