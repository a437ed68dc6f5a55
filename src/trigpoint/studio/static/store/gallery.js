// The gallery: which samples it shows, which of them were on the screen, which are ticked, and what becomes of them.
import { bytes, path } from "../api.js";
import { SIZES } from "../gallery/layout.js";
import { atlas } from "../map/atlas.js";
import { many } from "../words.js";
import { labelLots, labelMany } from "./acts.js";
import { keep, kept } from "./browser_memory.js";
import { createCell } from "./cell.js";
import { nameNow, notify, page } from "./page.js";
import { visit } from "./visits.js";

const SORT = "trigpoint:gallery-sort";
const SIZE = "trigpoint:gallery-size";
const NONE = new Int32Array(0);
const FRESH = { seen: new Set(), ticked: new Set(), at: 0, anchor: 0, top: 0 };

export const gallery = createCell({
  of: "unlabeled", // as in GET /api/gallery; or "lasso": samples chosen on the map
  name: "",
  sort: kept(SORT) ?? "pool",
  size: Number(kept(SIZE)) || SIZES.usual,
  lasso: NONE, // samples chosen on the map
  list: NONE,
  shown: null, // {of, name, sort}: what the list is the answer to; null while it is on its way
  versions: null, // of what the server knew then
  patches: 0, // of the map
  error: null,
  seen: FRESH.seen, // samples of the list that were on the screen
  ticked: FRESH.ticked,
  at: 0, // place in the list of the tile that keys are about
  anchor: 0, // where a range of ticks begins
  top: 0, // how far it was scrolled when it was left
});

/** Opens the gallery as it was left, or with other samples. */
export function openGallery(change = {}) {
  const now = gallery.get();
  page.set({ gallery: true, sheet: null, wide: false, visit: null });
  atlas.set({ wanted: true });
  if (!now.shown || Object.keys(change).some((key) => change[key] !== now[key])) show(change);
}

export const closeGallery = () => page.set({ gallery: false, tab: "label", said: "Back to the queue." });

let latest = 0;

/** Fetches other samples, or the same in another order or as they are now. */
export async function show(change = {}) {
  const number = (latest += 1);
  if (change.sort) keep(SORT, change.sort);
  gallery.set({ ...change, shown: null, error: null });
  const { of, name, sort, lasso } = gallery.get();
  const { versions } = page.get().server ?? {};
  let found = { list: NONE, error: null };
  try {
    const query = of === "lasso" ? { of: "all", sort } : { of, name, sort };
    const { buffer, headers } = await bytes(path("/api/gallery", query));
    const list = new Int32Array(buffer);
    found = { list: of === "lasso" ? among(list, lasso) : list, patches: Number(headers.get("X-Patches")) };
  } catch (error) {
    found.error = error.message;
  }
  if (number !== latest) return;
  gallery.set({ ...FRESH, seen: new Set(), ...found, shown: { of, name, sort }, versions });
  page.set({ said: `${title()}: ${many(found.list.length, "sample")}` });
}

/** The gallery of a class that is called otherwise by now goes on under its new name; its samples are the same. */
export function followName() {
  const follow = (p) => {
    const { of, name, shown } = gallery.get();
    if (!shown || !name || (of !== "label" && of !== "predicted")) return;
    const now = nameNow(p, name);
    if (now !== name) gallery.set({ name: now, shown: { ...shown, name: now } });
  };
  follow(page.get());
  return page.watch(follow);
}

function among(list, some) {
  const wanted = new Set(some);
  return list.filter((sample) => wanted.has(sample));
}

const TITLES = {
  all: () => "All samples",
  unlabeled: () => "Without a label",
  flagged: () => "Flagged",
  label: (name) => (name ? `Labeled ${name}` : "With a label"),
  predicted: (name) => `Predicted ${name}`,
  cluster: (name) => `Patch ${name} of the map`,
  search: (name) => `Search: ${name}`,
  lasso: () => "Chosen on the map",
  group: () => "Labeled together",
};

export const title = ({ of, name } = gallery.get()) => TITLES[of](name);

export function setSize(size) {
  keep(SIZE, size);
  gallery.set({ size });
}

/** Notes what was on the screen. */
export function noteSeen(samples) {
  const { seen } = gallery.get();
  samples.forEach((sample) => seen.add(sample));
  gallery.set({ seen }); // the same set: views watch its size
}

/** Ticks a tile, or takes its tick away; with `range` ticks all from the last one on. */
export function tick(place, range = false) {
  const { list, anchor } = gallery.get();
  if (place < 0 || place >= list.length) return;
  const ticked = new Set(gallery.get().ticked);
  const [from, to] = [Math.min(anchor, place), Math.max(anchor, place)];
  if (range) list.subarray(from, to + 1).forEach((sample) => ticked.add(sample));
  else if (!ticked.delete(list[place])) ticked.add(list[place]);
  gallery.set({ ticked, at: place, anchor: range ? anchor : place });
  page.set({ said: `${ticked.has(list[place]) ? "Ticked" : "Not ticked"}: ${ticked.size} in all.` });
}

export const untick = () => gallery.set({ ticked: new Set() });

/** Moves the tile that keys are about; with `range` ticks all on the way. */
export function go(place, range = false) {
  const { list } = gallery.get();
  const to = Math.max(0, Math.min(list.length - 1, place));
  if (range) tick(to, true);
  else gallery.set({ at: to, anchor: to });
}

/** Shows one large, on the desk; leaving it comes back here. */
export function openOne(place, top) {
  const { list } = gallery.get();
  if (place < 0 || place >= list.length) return;
  gallery.set({ at: place, top });
  visit("gallery", [list[place]]);
}

/** Samples that an accept labels: without an answer or a tick, and on the screen before, unless `unseen` too. */
export function acceptable({ list, seen, ticked }, isOpen, unseen = false) {
  const some = unseen ? Array.from(list) : [...seen];
  return some.filter((sample) => isOpen(sample) && !ticked.has(sample));
}

/** Labels each of the samples with what `labelOf` says, all as one gesture. */
export function accept(samples, labelOf) {
  const lots = new Map();
  for (const sample of samples) {
    const value = labelOf(sample);
    if (!lots.has(value)) lots.set(value, []);
    lots.get(value).push(sample);
  }
  labelLots([...lots].map(([value, some]) => [some, value]), { source: "gallery" });
}

/** Another class for the ticked ones, also where they have a label: each of them was chosen. */
export function labelTicked(value) {
  const { ticked } = gallery.get();
  if (!ticked.size) return notify("Tick some samples first: a class key labels those that are ticked.");
  labelMany([...ticked], value, { source: "gallery", relabel: true });
  untick();
}
