// The guidelines, and a line, an example and a key for each class. They are fetched when they change; a new person reads them
// before the first sample, and changed ones are announced.
import { get } from "../api.js";
import { keep, kept } from "./browser_memory.js";
import { send } from "./line.js";
import { uuid } from "./outbox.js";
import { notify, page, refreshKeys } from "./page.js";

const READ = "trigpoint:guide:"; // with the studio and the person: what they have read in this browser
const EMPTY = { text: "", classes: {} };
let have = 0;
let busy = false;

export const hasGuide = ({ guide }) =>
  Boolean(guide?.text.trim() || Object.values(guide?.classes ?? {}).some(({ text }) => text));

/** What the guidelines say of a class: {text, example, key}. */
export const aboutClass = (p, name) =>
  (p.guide && Object.hasOwn(p.guide.classes, name) && p.guide.classes[name]) || NOTHING;
const NOTHING = { text: "", example: null, key: null };

export function watchGuide() {
  page.watch(look);
}

async function look(p) {
  const version = p.server?.versions.guide ?? 0;
  if (p.phase === "open" && p.server && (!version || (p.guide && !hasGuide(p)))) begun = true;
  if (p.phase === "open" && p.guide) announce(p);
  if (version === have || busy) return;
  busy = true;
  try {
    const guide = await get("/api/guide");
    have = version;
    page.set({ guide });
    refreshKeys();
  } catch {
    // The next news of the server tries again.
  }
  busy = false;
}

let begun = false; // somebody works here without any guidelines
let told = {}; // what was announced last, and to whom

/** Opens what nobody has read here, and tells of what is new. The finder, which opens by itself, gives way. */
function announce(p) {
  if (told.guide === p.guide && told.annotator === p.annotator) return;
  if (p.sheet && p.sheet !== "filter") return;
  told = { guide: p.guide, annotator: p.annotator };
  const read = kept(place(p));
  if (read === wordsOf(p.guide) || !hasGuide(p)) return;
  if (read == null && !begun) page.set({ sheet: "guide" });
  else notify(`The guidelines ${read == null ? "are new" : "have changed"}: press i to read them.`);
  if (read != null || !begun) remember(p); // else they are shown at the next visit
}

/** A short name for what the guidelines say; keys and examples are not read, but used. */
function wordsOf({ text, classes }) {
  const lines = Object.entries(classes).map(([name, about]) => [name, about.text]);
  const all = JSON.stringify([text, lines.filter(([, line]) => line).sort()]);
  let hash = 0x811c9dc5;
  for (let k = 0; k < all.length; k++) hash = Math.imul(hash ^ all.charCodeAt(k), 0x01000193) >>> 0;
  return hash.toString(16);
}

const place = (p) => `${READ}${p.setup.store}:${p.annotator}`;

const remember = (p, guide = p.guide) => keep(place(p), wordsOf(guide)); // what is not kept is shown again: no harm

export function markRead() {
  const p = page.get();
  if (p.guide) remember(p);
}

/** Who writes guidelines has read them. */
function change(guide, action) {
  remember(page.get(), guide);
  send([{ client: uuid(), ...action }]);
}

export function writeGuide(text) {
  change({ ...(page.get().guide ?? EMPTY), text }, { kind: "guide", text });
}

export function describe(name, about) {
  const guide = page.get().guide ?? EMPTY;
  change({ ...guide, classes: { ...guide.classes, [name]: about } }, { kind: "describe", name, ...about });
}
