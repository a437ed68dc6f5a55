// The studios of a folder: how far each is, and the way into it.
import { get, post } from "./api.js";
import { html, render, useEffect, useState } from "./html.js";
import { applyTheme } from "./theme.js";
import { Mark } from "./views/mark.js";
import { ago } from "./views/ago.js";
import { counted, many } from "./words.js";

const PAUSE = 4000;
const SOON = 700; // while one is being opened

function Studios() {
  const [found, setFound] = useState(null);
  const [error, setError] = useState(null);
  const [wanted, setWanted] = useState(null); // the store whose studio to go to once it is open
  const ask = () =>
    get("/api/studios").then(
      (list) => (setFound(list), setError(null)),
      (wrong) => setError(wrong.message),
    );
  useEffect(() => {
    ask();
    const timer = setInterval(() => document.hidden || ask(), wanted ? SOON : PAUSE);
    return () => clearInterval(timer);
  }, [wanted]);
  const target = found?.studios.find((one) => one.store === wanted);
  useEffect(() => {
    if (target?.stage === "open") location.assign(target.url);
    else if (target && target.stage !== "opening" && target.why) setWanted(null);
  }, [target?.stage, target?.why]);
  const open = async (store) => {
    try {
      await post("/api/open", { store });
      await ask(); // what went wrong the last time is not the answer to this one
      setWanted(store);
    } catch (wrong) {
      setError(wrong.message);
    }
  };
  return html`
    <main class="hub">
      <p class="eyebrow"><${Mark} /> <strong>trigpoint studio</strong> <bdi>${found?.folder}</bdi></p>
      <h1>Studios</h1>
      ${error && html`<p class="wrong" role="alert">${error}</p>`}
      ${!found && !error && html`<p class="quiet" role="status">Looking…</p>`}
      <ul class="studios">
        ${found?.studios.map((one) => html`<${Line} key=${one.store} one=${one} onOpen=${() => open(one.store)} />`)}
      </ul>
    </main>
  `;
}

const TASKS = { classification: "classes", regression: "numbers", tags: "tags" };

function Line({ one, onOpen }) {
  const pool = one.pool?.split(/[\\/]/).pop();
  const facts = [
    one.n_samples != null && many(one.n_samples, "sample"),
    TASKS[one.task],
    pool && pool !== one.name && `pool ${pool}`,
    one.people > 0 && many(one.people, "person", "people"),
    `changed ${ago(one.changed)}`,
  ].filter(Boolean);
  return html`
    <li data-stage=${one.stage}>
      <div class="what">
        <h2><bdi>${one.name}</bdi></h2>
        <p class="quiet">${facts.join(" · ")}</p>
        ${one.why && html`<p class=${one.stage === "elsewhere" ? "quiet" : "wrong"}>${one.why.charAt(0).toUpperCase() + one.why.slice(1)}</p>`}
      </div>
      ${one.budget != null && html`<${Far} one=${one} />`}
      <div class="way">
        ${one.stage === "open" && html`<a class="button primary" href=${one.url} aria-label=${`Go to ${one.name}`}>Go to it</a>`}
        ${one.stage === "closed" && html`<button class="primary" onClick=${onOpen} aria-label=${`Open ${one.name}`}>Open</button>`}
        ${one.stage === "opening" && html`<span role="status">Opening…</span>`}
      </div>
    </li>
  `;
}

const Far = ({ one }) => html`
  <div class="far">
    <progress max=${one.budget || 1} value=${Math.min(one.spent, one.budget)} aria-label=${`Budget of ${one.name}`}></progress>
    <p><b>${counted(one.labels)}</b> ${one.labels === 1 ? "label" : "labels"}, <span class="quiet">${counted(one.spent)} of ${counted(one.budget)} of the budget</span></p>
  </div>
`;

applyTheme();
render(html`<${Studios} />`, document.getElementById("app"));
