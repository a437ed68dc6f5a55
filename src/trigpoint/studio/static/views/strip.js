// What was done last, newest first: a click shows it again, to look or to correct.
import { html, useMemo, useState } from "../html.js";
import { moreTrail } from "../store/acts.js";
import { useCell } from "../store/cell.js";
import { openGallery } from "../store/gallery.js";
import { page } from "../store/page.js";
import { visit } from "../store/visits.js";
import { counted, deedText, labelText, many } from "../words.js";
import { Tell, Thumb } from "./card.js";

const STEP = 60; // drawn at first, and more when somebody scrolls

export function Strip() {
  const { trail, end, sample } = useCell(page, (p) => ({
    trail: p.trail,
    end: p.trailEnd,
    classes: p.classes, // whose numbers are the colors
    sample: p.visit?.source === "history" ? p.visit.item.sample : null,
  }));
  const [shown, setShown] = useState(STEP);
  const latest = useMemo(() => {
    const seen = new Set();
    const isNew = (deed) => deed.group || (!seen.has(deed.sample) && seen.add(deed.sample));
    return trail.filter(isNew).slice(0, shown);
  }, [trail, shown]);
  const onScroll = (event) => {
    const box = event.currentTarget;
    if (box.scrollLeft + box.clientWidth < box.scrollWidth - 200) return;
    if (latest.length === shown) setShown(shown + STEP);
    else if (!end) moreTrail().catch(() => {});
  };
  return html`
    <nav class="strip" aria-label="Your history, newest first" onScroll=${onScroll}>
      ${latest.length === 0 && html`<p class="quiet">What you label appears here; click to correct it.</p>`}
      ${latest.map((deed) =>
        deed.group
          ? html`<${Together} key=${deed.group} deed=${deed} />`
          : html`
        <button
          key=${deed.sample}
          class="deed"
          onClick=${() => visit("history", [deed.sample])}
          aria-current=${deed.sample === sample ? "true" : null}
          title=${deed.id}
        >
          <span class="unseen">Show ${deed.id} again</span>
          <span class="frame"><${Thumb} sample=${deed.sample} /></span>
          <${Tell} value=${deed.value} words=${deedText(deed)} />
        </button>
      `,
      )}
    </nav>
  `;
}

/** Samples that were labeled by one gesture: a click shows them all. */
function Together({ deed }) {
  const words = deed.value == null ? many(deed.n, "label") : `${counted(deed.n)} × ${labelText(deed.value)}`;
  return html`
    <button class="deed together" onClick=${() => openGallery({ of: "group", name: deed.group })} title=${words}>
      <span class="unseen">Show</span>
      <span class="frame"><${Thumb} sample=${deed.sample} /></span>
      <${Tell} value=${deed.value} words=${words} />
    </button>
  `;
}
