// Where the map is looked at from: pixels = (map - center) * scale, y upward on the map and downward on the screen.
const MARGIN = 0.8; // room for the bar above and the legend below
const MOST = 4000; // times closer than the whole map

/** How much larger things are drawn on a large screen, as its type is. */
export const unit = () => parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;

export const WHOLE = { x: 0, y: 0, zoom: 1 };

/** Pixels of one unit of the map. */
export const scaleOf = (camera, box) => (camera.zoom * MARGIN * Math.min(box.width, box.height)) / 2;

export function toScreen(camera, box, x, y) {
  const s = scaleOf(camera, box);
  return [box.width / 2 + (x - camera.x) * s, box.height / 2 - (y - camera.y) * s];
}

export function toMap(camera, box, px, py) {
  const s = scaleOf(camera, box);
  return [camera.x + (px - box.width / 2) / s, camera.y - (py - box.height / 2) / s];
}

const within = (x) => Math.min(1.2, Math.max(-1.2, x));

export function pan(camera, box, dx, dy) {
  const s = scaleOf(camera, box);
  return { ...camera, x: within(camera.x - dx / s), y: within(camera.y + dy / s) };
}

/** Closer by `factor`; what lies under the pixel (px, py) stays there. */
export function zoomAt(camera, box, px, py, factor) {
  const [x, y] = toMap(camera, box, px, py);
  const zoom = Math.min(MOST, Math.max(0.5, camera.zoom * factor));
  const moved = { ...camera, zoom };
  const [nowX, nowY] = toMap(moved, box, px, py);
  return { zoom, x: within(moved.x + x - nowX), y: within(moved.y + y - nowY) };
}

/** Diameter of a point in pixels: smaller for more points, larger from close by. */
export function pointSize(camera, box, n) {
  const room = Math.sqrt((box.width * box.height) / Math.max(n, 1)) * 0.42 * Math.sqrt(camera.zoom);
  return unit() * Math.min(9, Math.max(1.4, Math.min(room / unit(), 4.5 + Math.log2(Math.max(1, camera.zoom)))));
}
