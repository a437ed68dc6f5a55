// Which point lies near a place of the map: points sorted by the cell of a grid (counting sort, typed arrays).
// It is built in slices of a few milliseconds, so that nobody notices.
const SLICE = 6; // milliseconds
const CHUNK = 8192;

const rest = () => new Promise((go) => setTimeout(go, 0));

/** Runs `step(from, to)` over 0..n, with pauses; false when `stale()` says that nobody waits for it any more. */
export async function inSlices(n, step, stale = () => false) {
  let began = performance.now();
  for (let from = 0; from < n; from += CHUNK) {
    step(from, Math.min(n, from + CHUNK));
    if (performance.now() - began > SLICE) {
      await rest();
      if (stale()) return false;
      began = performance.now();
    }
  }
  return true;
}

export async function buildGrid(coordinates, stale) {
  const n = coordinates.length / 2;
  const side = Math.max(8, Math.min(1024, Math.round(Math.sqrt(n / 3))));
  const place = (x) => Math.min(side - 1, Math.max(0, Math.floor((x + 1) * 0.5 * side)));
  const cell = new Int32Array(n);
  const starts = new Int32Array(side * side + 1);
  const count = (from, to) => {
    for (let i = from; i < to; i++) {
      const c = place(coordinates[2 * i + 1]) * side + place(coordinates[2 * i]);
      cell[i] = c;
      starts[c + 1]++;
    }
  };
  if (!(await inSlices(n, count, stale))) return null;
  for (let c = 0; c < side * side; c++) starts[c + 1] += starts[c];
  const free = starts.slice(0, side * side);
  const order = new Int32Array(n);
  const fill = (from, to) => {
    for (let i = from; i < to; i++) order[free[cell[i]]++] = i;
  };
  if (!(await inSlices(n, fill, stale))) return null;
  return { side, place, starts, order, coordinates };
}

/** The point nearest to (x, y) within `reach`, or -1. Rings of cells outward, until none can be nearer. */
export function nearest(grid, x, y, reach) {
  const { side, place, starts, order, coordinates } = grid;
  const cx = place(x);
  const cy = place(y);
  const width = 2 / side;
  let best = -1;
  let least = reach * reach;
  const look = (gx, gy) => {
    if (gx < 0 || gy < 0 || gx >= side || gy >= side) return;
    const c = gy * side + gx;
    for (let k = starts[c]; k < starts[c + 1]; k++) {
      const i = order[k];
      const far = (coordinates[2 * i] - x) ** 2 + (coordinates[2 * i + 1] - y) ** 2;
      if (far <= least) {
        least = far;
        best = i;
      }
    }
  };
  for (let ring = 0; (ring - 1) * width <= Math.sqrt(least) && ring <= side; ring++) {
    for (let d = -ring; d <= ring; d++) {
      look(cx + d, cy - ring);
      if (ring) look(cx + d, cy + ring);
      if (d > -ring && d < ring) {
        look(cx - ring, cy + d);
        look(cx + ring, cy + d);
      }
    }
  }
  return best;
}
