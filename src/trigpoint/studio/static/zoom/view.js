// Where a picture is looked at from. `k` is 1 where the whole picture is shown; `x` and `y` are how far its middle is from
// the middle of the stage, in pixels of the page. A `frame` tells what there is to look at, and where:
//   stage   [width, height] of the place that the picture may fill
//   fit     [width, height] of the whole picture in it
//   unit    pixels of the page of one pixel of the original, where the whole is shown
export const WHOLE = { k: 1, x: 0, y: 0 };

const COARSE = 32; // pixels of the page that a pixel of the original may become
const CLOSER = 3; // times, for pictures that are shown larger than they are

const between = (low, x, high) => Math.min(high, Math.max(low, x));

/** The nearest view in which the picture covers the place of the whole. So whatever is looked at from closer by can
 * stay where it is. */
export function bounded({ k, x, y }, { fit, unit }) {
  const near = between(1, k, Math.max(4, COARSE / unit));
  const most = fit.map((length) => (length * (near - 1)) / 2);
  return { k: near, x: between(-most[0], x, most[0]), y: between(-most[1], y, most[1]) };
}

/** Closer by `factor`; what lies at (px, py), counted from the middle of the stage, stays there. */
export function zoomedAt(view, frame, px, py, factor) {
  const { k } = bounded({ ...view, k: view.k * factor }, frame);
  const [x, y] = [px - ((px - view.x) * k) / view.k, py - ((py - view.y) * k) / view.k];
  return bounded({ k, x, y }, frame);
}

export const panned = (view, frame, dx, dy) =>
  bounded({ ...view, x: view.x + dx, y: view.y + dy }, frame);

/** The whole picture; or from there, its own pixels, one for each of the screen. */
export function toggled(view, frame, px, py, density) {
  if (view.k > 1) return WHOLE;
  const own = 1 / (frame.unit * density);
  return zoomedAt(view, frame, px, py, own > 1.2 ? own : CLOSER);
}

/** The least move that brings the place (x, y) of the original, of `size`, into sight. */
export function revealing(view, frame, [x, y], size) {
  const at = [x, y].map((one, a) => (one - size[a] / 2) * frame.unit * view.k + [view.x, view.y][a]);
  const room = frame.stage.map((length) => 0.4 * length);
  const [dx, dy] = at.map((one, a) => between(-room[a], one, room[a]) - one);
  return panned(view, frame, dx, dy);
}
