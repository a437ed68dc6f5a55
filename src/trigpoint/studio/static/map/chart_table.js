// The map in motion: camera, pointers and keys on one side, points and marks on the other. Draws only on change.
import { pan, pointSize, scaleOf, toMap, WHOLE, zoomAt } from "./camera.js";
import { buildGrid, nearest } from "./grid.js";
import { drawMarks, markColors } from "./marks.js";
import { createPoints } from "./points.js";
import { watchPointers } from "./pointers.js";

const REACH = 12; // pixels around the pointer
const GLIDE = 700; // milliseconds from one picture of the layout to the next
const still = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * @param hear {onHover(sample, px, py), onPick(sample), onLoop(loop)}
 * @returns null where there is no WebGL2
 */
export function createChartTable(under, over, hear) {
  const points = createPoints(under);
  if (!points) return null;
  let camera = WHOLE;
  let box = { width: 0, height: 0 };
  let ratio = 1;
  let grid = null;
  let building = null; // the promise of one
  let pointed = null; // where the mouse is on the map
  let frame = 0;
  let colors = markColors(0);
  let scene = { coordinates: null, landmarks: null, current: null, hovered: -1, loop: null };
  let gliding = 0;
  let n = 0;
  let byLevel = false;

  function resize() {
    const { width, height } = over.getBoundingClientRect();
    ratio = Math.min(2, window.devicePixelRatio || 1);
    box = { width, height };
    for (const canvas of [under, over]) {
      canvas.width = Math.max(1, Math.round(width * ratio));
      canvas.height = Math.max(1, Math.round(height * ratio));
    }
    move(camera);
  }

  function move(to) {
    camera = to;
    const s = scaleOf(camera, box);
    if (!s) return;
    points.setLook({
      x: camera.x,
      y: camera.y,
      sx: (2 * s) / box.width,
      sy: (2 * s) / box.height,
      size: ratio * pointSize(camera, box, n),
      byLevel,
    });
    mark();
  }

  const mark = () => {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      drawMarks(over, { ...scene, camera, box, ratio, colors });
    });
  };
  const show = (change) => {
    scene = { ...scene, ...change };
    mark();
  };

  /** Moves the points on from where they were. */
  function glide(start) {
    gliding = requestAnimationFrame((now) => {
      const t = Math.min(1, Math.max(0, now - start) / GLIDE);
      const share = t * t * (3 - 2 * t);
      points.setShare(share);
      show({ share });
      if (t < 1) glide(start);
    });
  }

  /** The index is built when somebody first points at the map, and again when places changed. */
  const index = () => (building ??= scene.coordinates && build(scene.coordinates));

  async function build(coordinates) {
    const start = performance.now();
    const built = await buildGrid(coordinates, () => coordinates !== scene.coordinates);
    if (coordinates !== scene.coordinates) return;
    grid = built;
    performance.measure("map index", { start });
    if (pointed) point(...pointed); // the mouse may have rested since
  }

  function find(px, py) {
    index();
    if (!grid) return -1;
    const [x, y] = toMap(camera, box, px, py);
    return nearest(grid, x, y, REACH / scaleOf(camera, box));
  }

  function point(px, py) {
    pointed = px === null ? null : [px, py];
    const sample = pointed ? find(px, py) : -1;
    if (sample === scene.hovered) return;
    show({ hovered: sample });
    hear.onHover(sample, px, py);
  }

  const hand = watchPointers(over, {
    onPan: (dx, dy) => move(pan(camera, box, dx, dy)),
    onZoom: (px, py, factor) => move(zoomAt(camera, box, px, py, factor)),
    onPoint: point,
    onTap: async (px, py) => {
      await index(); // a finger has not pointed before
      const sample = find(px, py);
      if (sample >= 0) hear.onPick(sample);
    },
    onDraw: (trace) => show({ loop: trace.map(([px, py]) => toMap(camera, box, px, py)) }),
    onDrawn: () => hear.onLoop(scene.loop),
  });
  const observer = new ResizeObserver(resize);
  observer.observe(over);

  const center = (factor) => move(zoomAt(camera, box, box.width / 2, box.height / 2, factor));
  const onTheme = () => {
    colors = markColors(colors.classes.length);
    points.repaint();
    mark();
  };
  window.addEventListener("themechange", onTheme);

  return {
    hand,
    zoom: center,
    whole: () => move(WHOLE),
    push: (dx, dy) => move(pan(camera, box, dx, dy)),
    setCoordinates(coordinates) {
      const before = coordinates.length === scene.coordinates?.length && !still.matches ? scene.coordinates : null;
      n = coordinates.length / 2;
      grid = building = null;
      cancelAnimationFrame(gliding);
      points.setCoordinates(coordinates, before);
      show({ coordinates, before, share: before ? 0 : 1, hovered: -1 });
      move(camera);
      if (before) glide(performance.now());
    },
    setColors(codes, levels, mode) {
      points.setColors(codes, levels);
      if (mode !== byLevel) {
        byLevel = mode;
        move(camera);
      }
    },
    setMarks(change, classes) {
      if (classes !== undefined && classes !== colors.classes.length) colors = markColors(classes);
      show(change);
    },
    close() {
      observer.disconnect();
      hand.close();
      window.removeEventListener("themechange", onTheme);
      cancelAnimationFrame(frame);
      cancelAnimationFrame(gliding);
      points.close();
    },
  };
}
