// How the picture on the desk is looked at: for the bar below it, and kept for the next one where it is pinned.
import { createCell } from "./cell.js";
import { keep, kept } from "./browser_memory.js";

export const zoom = createCell({
  k: 1, // 1: the whole picture
  percent: 100, // pixels of the screen for one of the original
  pinned: false, // the next picture is shown in the same way
  place: [0, 0], // the shift, as a share of the picture
});

const SMOOTH = "trigpoint:smooth";

/** Whether pixels are smoothed: "yes", "no", or null, which leaves it to the size of the picture. */
export const smoothing = createCell({ choice: kept(SMOOTH) });

export function applySmoothing() {
  const { choice } = smoothing.get();
  if (choice) document.documentElement.dataset.smooth = choice;
}

export function chooseSmoothing(choice) {
  smoothing.set({ choice });
  keep(SMOOTH, choice);
  applySmoothing();
}
