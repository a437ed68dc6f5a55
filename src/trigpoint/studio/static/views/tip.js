// The sample under the pointer: what it looks like, what is predicted, how uncertain that is.
import { html, useEffect, useState } from "../html.js";
import { fetchSample, recall } from "../store/samples.js";
import { figure, percent } from "../words.js";
import { Tell, Thumb } from "./card.js";
import { NoteMark } from "./notes.js";

const CALM = 50; // milliseconds on one point before it is fetched

export function Tip({ sample, x, y, data, box }) {
  const [item, setItem] = useState(null);
  useEffect(() => {
    const known = recall(sample);
    setItem(known ?? null);
    if (known) return;
    let stale = false;
    const timer = setTimeout(
      () =>
        fetchSample(sample).then(
          (found) => stale || setItem(found),
          () => {},
        ),
      CALM,
    );
    return () => {
      stale = true;
      clearTimeout(timer);
    };
  }, [sample]);
  const known = item?.sample === sample ? item : null;
  // It may stand out over the map's edge, toward the middle of the window.
  const { left, top } = box.getBoundingClientRect();
  const [px, py] = [left + x, top + y];
  const place = {
    ...(px > innerWidth / 2 ? { right: `${innerWidth - px + 14}px` } : { left: `${px + 14}px` }),
    ...(py > innerHeight / 2 ? { bottom: `${innerHeight - py + 8}px` } : { top: `${py + 8}px` }),
  };
  return html`
    <div class="tip" style=${place}>
      <span class="frame"><${Thumb} item=${known} sample=${sample} /></span>
      <${Tell} value=${guess(data, sample)} />
      <${NoteMark} item=${known} />
      <p class="quiet">${uncertainty(data, sample)}<bdi>${known?.id ?? `#${sample}`}</bdi></p>
    </div>
  `;
}

function uncertainty({ uncertainty }, sample) {
  return uncertainty && uncertainty[sample] < 255 ? `uncertainty ${percent(uncertainty[sample] / 254, 0)} · ` : "";
}

/** The prediction that the map shows. */
function guess({ codes, classes, values }, sample) {
  if (values) return Number.isFinite(values[sample]) ? figure(values[sample]) : null;
  return codes && codes[sample] >= 0 ? classes[codes[sample]] : null;
}
