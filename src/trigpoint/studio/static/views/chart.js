// A small line chart with two numbers on each axis.
import { html } from "../html.js";
import { figure } from "../words.js";

const W = 320;
const H = 96;
const LEFT = 44;
const BASE = H - 18;

export function LineChart({ points, label }) {
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y).filter(Number.isFinite);
  if (ys.length < 2) return null;
  const [x0, x1] = [Math.min(...xs), Math.max(...xs)];
  const top = Math.max(...ys);
  const x = (value) => LEFT + ((W - LEFT - 8) * (value - x0)) / (x1 - x0 || 1);
  const y = (value) => BASE - ((BASE - 8) * value) / (top || 1);
  const shown = points.filter(([, value]) => Number.isFinite(value));
  const [lastX, lastY] = shown[shown.length - 1];
  const told = `${label}: ${figure(shown[0][1])} at ${shown[0][0]}, ${figure(lastY)} at ${lastX}`;
  return html`
    <svg class="chart" viewBox=${`0 0 ${W} ${H}`} role="img" aria-label=${told}>
      <path class="axis" d=${`M${LEFT} 8V${BASE}H${W - 8}`} />
      <path class="line" d=${`M${shown.map(([a, b]) => `${x(a).toFixed(1)} ${y(b).toFixed(1)}`).join("L")}`} />
      <circle class="end" cx=${x(lastX)} cy=${y(lastY)} r="3" />
      <text x=${LEFT - 5} y="14" text-anchor="end">${figure(top)}</text>
      <text x=${LEFT - 5} y=${BASE} text-anchor="end">0</text>
      <text x=${LEFT} y=${H - 4}>${x0}</text>
      <text x=${W - 8} y=${H - 4} text-anchor="end">${many(x1)}</text>
    </svg>
  `;
}

const many = (n) => `${n} labels`;
