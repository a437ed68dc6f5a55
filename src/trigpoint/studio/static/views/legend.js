// What the colors of the map mean; and the map in numbers, for those who do not see it.
import { html, useMemo } from "../html.js";
import { levelsOf } from "../map/atlas.js";
import { classColor, classShape, N_RAMP, rampColor } from "../palette.js";
import { counted, figure, many } from "../words.js";

/** Samples of each predicted class; the last number: of none. */
export function tally(codes, n) {
  const counts = new Uint32Array(n + 1);
  for (const code of codes) counts[code < 0 || code >= n ? n : code]++;
  return counts;
}

export function Legend({ data, mode, real }) {
  const { classes, codes, values } = data;
  const counts = useMemo(() => (codes ? tally(codes, classes.length) : null), [codes, classes]);
  const range = useMemo(() => (values && real ? levelsOf(values) : null), [values]);
  if (!counts) return null;
  return html`
    <div class="map-legend" aria-hidden="true">
      ${mode === "uncertainty" && html`<${Ramp} from="sure" to="least sure" />`}
      ${mode === "label" && range && html`<${Ramp} from=${figure(range.low)} to=${figure(range.high)} />`}
      ${mode === "label" && !real && html`<${Names} classes=${classes} counts=${counts} />`}
    </div>
    ${
      !real &&
      html`
      <ul class="unseen" aria-label="Predicted classes on the map">
        ${classes.map((name, k) => html`<li key=${name}>${name}: ${many(counts[k], "sample")}</li>`)}
        <li>no prediction: ${counted(counts[classes.length])}</li>
      </ul>
    `
    }
  `;
}

const RAMP = Array.from({ length: N_RAMP }, (_, k) => rampColor(k));

const Ramp = ({ from, to }) => html`
  <span>
    ${from} <span class="ramp">${RAMP.map((color) => html`<i key=${color} style=${{ "--c": color }}></i>`)}</span> ${to}
  </span>
`;

/** Classes that are on the map: the others would only cover it. */
const Names = ({ classes, counts }) =>
  classes.map(
    (name, k) =>
      counts[k] > 0 &&
      html`
    <span key=${name} title=${name}>
      <i class="dot" data-shape=${classShape(k)} style=${{ "--c": classColor(k) }}></i><bdi>${name}</bdi>
    </span>
  `,
  );
