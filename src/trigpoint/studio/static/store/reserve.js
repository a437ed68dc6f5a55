// Samples to go on with when the line is slow or down. Nobody is lent these, so that they are not kept from others; they
// come onto the deck when it has run out. Those that somebody has labeled meanwhile are left out.
import { get } from "../api.js";
import { unsentNow } from "./line.js";
import { page } from "./page.js";
import { isViewer } from "./role.js";
import { fetchSamples, preload } from "./samples.js";

const SIZE = 48;
const FEW = 36; // below this many it is filled up
const TAKE = 8; // onto the deck at a time
const OFTEN = 60000; // milliseconds between two looks at it
const SOON = 5000; // where there are few
const SLOW = 1500; // without a sample while the server has yet to answer
let kept = [];
let owner = null;
let next = 0;
let timer = null;

/** How many there are. */
export const reserved = () => kept.length;

export function watchReserve() {
  page.watch((p) => {
    const cut = p.lost || p.line.trouble;
    if (p.deck.length < 2 && cut) draw();
    const slow = p.deck.length === 0 && p.line.sending;
    if (!slow) clearTimeout(timer);
    timer = slow ? (timer ?? setTimeout(draw, SLOW)) : null;
  });
}

/** Tells of an item whether nothing has become of it here since it was put by. */
function isNew() {
  const { deck, trail } = page.get();
  const done = new Set([...deck, ...trail].flatMap((one) => one.samples ?? one.sample));
  const isBusy = unsentNow();
  return (item) => !done.has(item.sample) && !isBusy(item);
}

/** Some of it onto the deck, as far as the budget goes. */
function draw() {
  const { phase, done, waiting, annotator, deck, line, server } = page.get();
  if (phase !== "open" || done || waiting || owner !== annotator || !kept.length || deck.length > 1) return;
  kept = kept.filter(isNew());
  const left = server.budget - server.spent - line.unsent - deck.length;
  if (left > 0) page.set({ deck: [...deck, ...kept.splice(0, Math.min(TAKE, left))] });
}

/** Looks at it, now and then, while the server answers. */
export async function tendReserve() {
  const { annotator, phase } = page.get();
  if (phase !== "open" || isViewer(page.get()) || (owner === annotator && Date.now() < next)) return;
  if (owner !== annotator) kept = [];
  owner = annotator;
  next = Date.now() + OFTEN;
  try {
    const old = kept.map((item) => item.sample);
    const more = old.length < FEW ? (await get("/api/reserve", { annotator, limit: SIZE })).samples : [];
    const found = await fetchSamples([...new Set([...old, ...more])].slice(0, SIZE));
    if (owner !== page.get().annotator) return;
    const held = new Set(page.get().deck.map((item) => item.sample));
    const isOpen = (item) =>
      item.label == null && item.mine == null && !item.unreadable && !item.audit && !held.has(item.sample);
    kept = found.filter(isOpen);
    kept.forEach(preload);
  } catch {
    // It stays as it was, and is looked at again.
  }
  if (kept.length < FEW) next = Date.now() + SOON;
}
