// Contents of samples, kept for a while: pictures are loaded ahead, texts and rows fetched once.
import { get } from "../api.js";
import { page } from "./page.js";

const KEEP = 600;
const known = new Map(); // sample -> its JSON; oldest first
const pictures = new Map(); // url -> Image, held so that the browser keeps them decoded

export function remember(item) {
  known.delete(item.sample);
  known.set(item.sample, item);
  if (known.size > KEEP) known.delete(known.keys().next().value);
}

export const recall = (sample) => known.get(sample);

export function preload(item) {
  if (!item.image || pictures.has(item.image)) return;
  const image = new Image();
  image.src = item.image;
  image.decode().catch(() => {}); // the view shows what is wrong with it
  pictures.set(item.image, image);
  if (pictures.size > 40) pictures.delete(pictures.keys().next().value);
}

/** The address of a sample's picture that is good for a tile of `side` pixels. */
export const tilePicture = (sample) => `/api/pictures/${sample}?small=1`;

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
  preload(found);
  return found;
}
