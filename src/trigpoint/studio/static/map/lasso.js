// Points inside a loop: the loop is filled once on a small canvas, then each point looks up its pixel there.
import { inSlices } from "./grid.js";

const SIDE = 768;

/** @param {number[][]} loop  [x, y] of the map @returns {Promise<Int32Array>} samples, rising */
export async function inside(loop, coordinates) {
  const xs = loop.map(([x]) => x);
  const ys = loop.map(([, y]) => y);
  const [left, low] = [Math.min(...xs), Math.min(...ys)];
  const across = (SIDE - 1) / (Math.max(...xs) - left || 1);
  const up = (SIDE - 1) / (Math.max(...ys) - low || 1);
  const mask = fill(loop.map(([x, y]) => [(x - left) * across, (y - low) * up]));
  const found = new Int32Array(coordinates.length / 2);
  let n = 0;
  await inSlices(coordinates.length / 2, (from, to) => {
    for (let i = from; i < to; i++) {
      const px = Math.round((coordinates[2 * i] - left) * across);
      const py = Math.round((coordinates[2 * i + 1] - low) * up);
      if (px >= 0 && py >= 0 && px < SIDE && py < SIDE && mask[4 * (py * SIDE + px) + 3] > 127)
        found[n++] = i;
    }
  });
  return found.slice(0, n);
}

function fill(loop) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = SIDE;
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  pen.beginPath();
  loop.forEach(([x, y], k) => (k ? pen.lineTo(x, y) : pen.moveTo(x, y)));
  pen.fill("evenodd");
  return pen.getImageData(0, 0, SIDE, SIDE).data;
}
