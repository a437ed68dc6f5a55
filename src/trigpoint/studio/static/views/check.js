// Labels that look wrong, one's own first: see what the others suggest, then correct or keep.
import { html, useEffect, useState } from "../html.js";
import { useCell } from "../store/cell.js";
import { fetchIssues } from "../store/checks.js";
import { isTags, notify, openTab, page } from "../store/page.js";
import { recall } from "../store/samples.js";
import { visit } from "../store/visits.js";
import { counted, percent } from "../words.js";
import { Tell, Thumb } from "./card.js";
import { Flagged } from "./notes.js";

const HEADS = {
  changed: "Changed since they were labeled",
  own: "Your labels",
  others: "Labels of others, and from files",
};
const headOf = ({ changed, whose }) => (changed ? "changed" : whose === "own" ? "own" : "others");
const EMPTY = {
  tags: "A sample that changes after it was labeled appears here.",
  others: "A label that the others contradict appears here, and a sample that changes after it was labeled.",
};

export function Check() {
  const { version, checks, shown, tags } = useCell(page, (p) => ({
    // while nothing looks wrong, what is told depends on how many labels there are
    version: `${p.annotator} ${p.server?.versions.issues} ${p.server?.issues || -p.server?.labeled}`,
    checks: p.checks,
    classes: p.classes, // whose numbers are the colors
    shown: p.visit?.item.sample,
    tags: isTags(p),
  }));
  const [error, setError] = useState(null);
  useEffect(() => {
    fetchIssues().then(
      () => setError(null),
      ({ message }) => setError(message),
    );
  }, [version]);
  if (error) return html`<p class="quiet">${error}</p>`;
  if (!checks) return html`<p class="quiet">Looking…</p>`;
  const { issues, total, sentence } = checks;
  const samples = issues.map((issue) => issue.sample);
  const groups = Object.keys(HEADS).map((name) => [name, issues.filter((issue) => headOf(issue) === name)]);
  return html`
    <p class="verdict" role="status">${sentence}</p>
    ${!total && html`<p class="quiet">${EMPTY[tags ? "tags" : "others"]}</p>`}
    ${
      total > 0 &&
      html`
      <div class="begin">
        <button class="primary" onClick=${() => visit("check", samples)}>Check ${total > 1 ? "them" : "it"}</button>
        <span class="quiet wide-only"><kbd>Enter</kbd> takes the suggestion, <kbd>k</kbd> keeps the label.</span>
      </div>
    `
    }
    ${groups.map(
      ([name, some]) =>
        some.length > 0 &&
        html`
        <h3>${HEADS[name]}</h3>
        <ul class="disputes" aria-label=${HEADS[name]}>
          ${some.map((issue) => html`<${Issue} key=${issue.sample} issue=${issue} here=${issue.sample === shown} samples=${samples} />`)}
        </ul>
      `,
    )}
    ${total > issues.length && issues.length > 0 && html`<p class="quiet">The first ${issues.length} of ${counted(total)} are shown; the others follow.</p>`}
    <${Flagged} />
  `;
}

function Issue({ issue, here, samples }) {
  const { sample, label, suggested, probability, changed } = issue;
  const item = recall(sample);
  return html`
    <li>
      <button
        onClick=${() => visit("check", samples.slice(samples.indexOf(sample)))}
        aria-current=${here ? "true" : null}
        title=${item?.id}
      >
        <span class="unseen">Check ${item?.id ?? `#${sample}`}: labeled</span>
        <span class="frame"><${Thumb} item=${item} sample=${sample} /></span>
        <span class="change">
          <${Tell} value=${label} />
          ${changed && html`<span class="quiet">the sample has changed</span>`}
          ${
            suggested != null &&
            html`<span class="quiet" aria-hidden="true">→</span><span class="unseen">suggested</span><${Tell} value=${suggested} />`
          }
          ${probability != null && html`<span class="quiet">${percent(probability, 0)}</span>`}
        </span>
      </button>
    </li>
  `;
}

/** Opens the tab, and the first label. */
export async function startCheck() {
  openTab("check");
  try {
    await fetchIssues();
    const samples = page.get().checks?.issues.map((issue) => issue.sample) ?? [];
    if (samples.length) visit("check", samples);
  } catch (error) {
    notify(error.message);
  }
}
