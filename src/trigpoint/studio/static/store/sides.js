// Which of the sizes that the server makes is fetched: the smallest that fills its place on this screen.
import { zoom } from "./zoom.js";

const SIDES = [160, 400, 800, 1600, 2560]; // as in _pictures.py
const ENOUGH = 0.88; // of the pixels that would be shown: nobody sees the rest
const DESK = [0.65, 0.62]; // of the window: what a picture has on the desk, or on a phone all its width

/** Where the picture of an item is found with about as many pixels along its longer edge. */
export function address({ image, size }, pixels) {
  const side = SIDES.find((one) => one >= pixels * ENOUGH);
  return side && !(size && Math.max(...size) <= side) ? `${image}?side=${side}` : image;
}

/** How many pixels an address promises. */
export const pixelsOf = (url) => Number(/side=(\d+)$/.exec(url)?.[1] ?? Infinity);

/** About how many pixels of the screen the longer edge takes on the desk. It depends on the window alone, so that
 * what was loaded ahead is what is shown. */
export function deskPixels({ size }) {
  const narrow = matchMedia("(max-width: 52rem)").matches;
  const box = [innerWidth * (narrow ? 1 : DESK[0]), innerHeight * DESK[1]];
  const [w, h] = size ?? box;
  const { pinned, k } = zoom.get();
  return Math.min(box[0] / w, box[1] / h) * Math.max(w, h) * devicePixelRatio * (pinned ? k : 1);
}
