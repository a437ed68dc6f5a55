// Contents of samples, kept for a while: pictures are loaded ahead, texts and rows fetched once.
import { get } from "../api.js";
import { page } from "./page.js";
import { address, deskPixels } from "./sides.js";

const KEEP = 600;
const PICTURES = 160; // the deck, the reserve, which is looked at every minute, and what comes up in a minute
const known = new Map(); // sample -> its JSON; oldest first
const names = new Map(); // sample -> its id, of all that were ever here
const pictures = new Map(); // address -> its element, which is shown as it is, with nothing to load; the last used last

export function remember(item) {
  names.set(item.sample, item.id);
  known.delete(item.sample);
  known.set(item.sample, item);
  if (known.size > KEEP) known.delete(known.keys().next().value);
}

export const recall = (sample) => known.get(sample);
export const nameOf = (sample) => names.get(sample);

/** The element that shows the picture at an address, loaded ahead if it was; `held` for the next time, too. */
export function imageFor(url, held = true) {
  const before = pictures.get(url);
  const failed = before?.complete && !before.naturalWidth; // such a one is tried again
  const image = before && !failed ? before : newImage(url);
  if (held || before) {
    pictures.delete(url);
    pictures.set(url, image);
    if (pictures.size > PICTURES) pictures.delete(pictures.keys().next().value);
  }
  return image;
}

function newImage(url) {
  const image = new Image();
  image.decoding = "sync"; // it is there in the frame in which it is shown
  image.draggable = false;
  image.src = url;
  return image;
}

export function preload(item) {
  if (!item.image || item.unreadable) return;
  imageFor(address(item, deskPixels(item)))
    .decode()
    .catch(() => {}); // the view shows what is wrong with it
}

/** The address of a sample's picture that is good for a tile of `side` pixels. */
export const tilePicture = (sample, side) => address({ image: `/api/pictures/${sample}` }, side);

/** Samples as the server sees them now; for at most 200 at once. */
export async function fetchSamples(samples) {
  if (!samples.length) return [];
  const found = await get("/api/samples", { ids: samples.join(","), annotator: page.get().annotator });
  found.forEach(remember);
  return found;
}

export async function fetchSample(sample) {
  const found = await get(`/api/samples/${sample}`, { annotator: page.get().annotator });
  remember(found);
  return found;
}
