// What everybody did last, in words.
import { html, useState } from "../html.js";
import { visit } from "../store/visits.js";
import { ago } from "./ago.js";
import { useNews } from "./team.js";

const MORE = 50;
const MOST = 500;

export function Activity() {
  const [person, setPerson] = useState("");
  const [limit, setLimit] = useState(MORE);
  const [news] = useNews("/api/activity", { person, limit });
  if (!news) return html`<h3>Activity</h3><p class="quiet">Looking…</p>`;
  const choose = (event) => {
    setPerson(event.target.value);
    setLimit(MORE);
  };
  return html`
    <h3 id="activity">Activity</h3>
    ${news.error && html`<p class="wrong" role="alert">${news.error}</p>`}
    ${
      news.people?.length > 1 &&
      html`
      <p><label>Of <select aria-label="Of whom" value=${person} onChange=${choose}>
        <option value="">everybody</option>
        ${news.people.map((name) => html`<option key=${name} value=${name}>${name}</option>`)}
      </select></label></p>
    `
    }
    ${news.deeds && !news.deeds.length && html`<p class="quiet">Nothing yet.</p>`}
    <ol class="activity" aria-labelledby="activity">${news.deeds?.map((deed) => html`<${Deed} key=${deed.seq} ...${deed} />`)}</ol>
    ${
      news.deeds?.length === limit &&
      limit < MOST &&
      html`<button class="small" onClick=${() => setLimit(Math.min(MOST, limit + MORE * 3))}>Show more</button>`
    }
  `;
}

function Deed({ time, person, words, sample }) {
  const when = new Date(1000 * time);
  return html`
    <li>
      <time class="quiet" datetime=${when.toISOString()} title=${when.toLocaleString()}>${ago(time)}</time>
      <span><bdi class="who">${person}</bdi> <bdi>${words}</bdi></span>
      ${sample != null && html`<button class="small" onClick=${() => visit("search", [sample])} aria-label=${`Show: ${words}`}>Show</button>`}
    </li>
  `;
}
