// What lies on top of the points: landmarks as trig points, the sample on the desk, the one under the pointer, the lasso.
import { classColor, resolve } from "../palette.js";
import { toScreen, unit } from "./camera.js";

/** The colors that are drawn with, in the theme of now. */
export function markColors(n) {
  const css = ([r, g, b]) => `rgb(${r} ${g} ${b})`;
  const [ink, panel, accent, ...classes] = resolve([
    "var(--ink)",
    "var(--panel)",
    "var(--accent)",
    ...Array.from({ length: n }, (_, k) => classColor(k)),
  ]).map(css);
  return { ink, panel, accent, classes };
}

/** @param scene {camera, box, coordinates, before, share, landmarks, current, hovered, loop, colors, ratio} */
export function drawMarks(canvas, scene) {
  const { box, ratio, coordinates, landmarks, colors } = scene;
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, box.width, box.height);
  pen.lineJoin = "round";
  if (coordinates && landmarks) {
    const r = unit() * (landmarks.labeled.length > 800 ? 4 : landmarks.labeled.length > 150 ? 5 : 6.5);
    // What waits for a label is half transparent: it lies on points that nobody else shows.
    triangles(pen, scene, landmarks.pending, r, { fill: colors.panel, stroke: colors.ink, width: 1, opacity: 0.5 });
    for (const [code, samples] of byCode(landmarks)) {
      const plain = code < 0; // no class, but a number
      const fill = plain ? colors.ink : colors.classes[code];
      triangles(pen, scene, samples, r, { fill, stroke: plain ? colors.panel : colors.ink, width: 1.3, opacity: 1 });
    }
  }
  if (coordinates && scene.hovered >= 0) ring(pen, at(scene, scene.hovered), 7, colors.ink, 1.5);
  if (coordinates && scene.current != null) target(pen, at(scene, scene.current), colors);
  if (scene.loop) loop(pen, scene);
}

function byCode({ labeled, codes }) {
  const groups = new Map();
  labeled.forEach((sample, k) =>
    (groups.get(codes[k]) ?? groups.set(codes[k], []).get(codes[k])).push(sample),
  );
  return groups;
}

/** Where sample i is on the screen; between two pictures of the layout, on the way from one to the other. */
function at({ camera, box, coordinates, before, share }, i) {
  const place = (k) => (before ? before[k] + share * (coordinates[k] - before[k]) : coordinates[k]);
  return toScreen(camera, box, place(2 * i), place(2 * i + 1));
}

/** One path for all of a color: thousands cost one fill. */
function triangles(pen, scene, samples, r, { fill, stroke, width: line, opacity }) {
  const { width, height } = scene.box;
  pen.beginPath();
  for (const i of samples) {
    const [x, y] = at(scene, i);
    if (!(x > -r && y > -r && x < width + r && y < height + r)) continue;
    pen.moveTo(x, y - r * 1.1);
    pen.lineTo(x + r, y + r * 0.75);
    pen.lineTo(x - r, y + r * 0.75);
    pen.closePath();
  }
  pen.fillStyle = fill;
  pen.globalAlpha = opacity;
  pen.fill();
  pen.globalAlpha = 1;
  pen.strokeStyle = stroke;
  pen.lineWidth = line;
  pen.stroke();
}

function ring(pen, [x, y], r, color, width) {
  pen.beginPath();
  pen.arc(x, y, r, 0, 2 * Math.PI);
  pen.strokeStyle = color;
  pen.lineWidth = width;
  pen.stroke();
}

function target(pen, [x, y], colors) {
  for (const [color, width] of [
    [colors.panel, 5],
    [colors.accent, 2.5],
  ]) {
    ring(pen, [x, y], 11, color, width);
    pen.beginPath();
    for (const [dx, dy] of [
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
    ]) {
      pen.moveTo(x + 8 * dx, y + 8 * dy);
      pen.lineTo(x + 17 * dx, y + 17 * dy);
    }
    pen.stroke();
  }
}

function loop(pen, { camera, box, loop, colors }) {
  pen.beginPath();
  loop.forEach(([x, y], k) => {
    const [px, py] = toScreen(camera, box, x, y);
    if (k) pen.lineTo(px, py);
    else pen.moveTo(px, py);
  });
  pen.closePath();
  pen.strokeStyle = colors.accent;
  pen.lineWidth = 2;
  pen.setLineDash([5, 4]);
  pen.stroke();
  pen.setLineDash([]);
  pen.globalAlpha = 0.1;
  pen.fillStyle = colors.accent;
  pen.fill();
  pen.globalAlpha = 1;
}
