// All that the page knows, in one cell; and what follows from it.
import { createCell } from "./cell.js";
import { assignKeys } from "./keymap.js";

export const page = createCell({
  phase: "opening", // then "naming" (who are you?), then "open"
  opening: { since: Date.now(), message: null },
  setup: null, // GET /api/setup
  server: null, // GET /api/state, the latest
  annotator: "",
  deck: [], // items lent to this page; the first one is shown
  visit: null, // {source, list, at, item}: a sample that was looked up, shown instead of the deck
  done: false, // the budget is used up
  waiting: null, // why there are no items: the "worker" computes, or other "people" have them
  checks: null, // GET /api/issues, the latest: labels that look wrong
  trail: [], // own deeds, newest first: {client, kind, sample, id, value, source, group, seq}
  trailEnd: false,
  made: [], // classes made up here that the server has not confirmed
  guide: null, // GET /api/guide: {text, classes: {name: {text, example, key}}, renames: [{old, new}]}
  renamed: null, // {client, after}: the last rename by this page, and the `client` of the deed before it
  tagging: null, // {sample, on}: tags of the shown sample that somebody has changed
  classes: [],
  keys: new Map(), // class -> key
  line: { unsent: 0, sending: false, trouble: null, volatile: false },
  lost: null, // why the server cannot be reached
  tab: "label", // of a phone: the desk, the map, or a panel
  panel: "progress", // beside the desk
  sheet: null, // "help", "search", "filter", "guide" or "note"
  wide: false, // the map fills the page
  gallery: false, // the gallery does
  notice: null,
  said: "", // for screen readers
});

const DESK = { label: true, map: true };

export const current = (p) => (p.visit ? p.visit.item : (p.deck[0] ?? null));
export const source = (p) => (p.visit ? p.visit.source : "queue");
export const isRegression = (p) => p.setup?.task === "regression";
export const isTags = (p) => p.setup?.task === "tags";
export const hasPoints = (p) => (p.setup?.points.length ?? 0) > 0;

/** Opens a tab; a panel is the same on a phone and beside the desk. */
export const openTab = (name) => page.set(name in DESK ? { tab: name } : { tab: name, panel: name });

/** The suggestion for an item, unless it is of a class that is called otherwise by now. */
export function suggestion(p, item) {
  const found = item?.suggestion ?? null;
  const names = isTags(p) ? found?.value : [found?.value];
  return found && (isRegression(p) || names.every((name) => p.classes.includes(name))) ? found : null;
}

const LAG = 10; // labels that suggestions may be behind without a word

/** How many labels the suggestions do not know of yet; 0 for a few. */
export function lag({ server, line }) {
  const n = (server?.behind ?? 0) + line.unsent;
  return n > LAG ? n : 0;
}

/** Classes and their keys out of what the server knows and what was made up here since. */
export function refreshClasses(known = page.get().server?.classes ?? []) {
  const p = page.get();
  const made = p.made.filter((name) => !known.includes(name));
  const classes = [...known, ...made];
  const same = classes.length === p.classes.length && classes.every((name, k) => name === p.classes[k]);
  if (!same) page.set({ made, classes });
  else if (made.length < p.made.length) page.set({ made });
  if (!same) refreshKeys();
}

/** What a class is called now; the same name where nobody knows. */
export function nameNow({ classes, guide }, name) {
  const renames = guide?.renames ?? [];
  const seen = new Set();
  let now = name;
  while (now != null && !classes.includes(now) && !seen.has(now)) {
    seen.add(now);
    now = renames.find(({ old }) => old === now)?.new;
  }
  return classes.includes(now) ? now : name;
}

/** Keys wait for the guidelines, where there are any: the owner may have given some. */
export function refreshKeys() {
  const { keys, classes, guide, server } = page.get();
  if (server?.versions.guide && !guide) return;
  const given = Object.entries(guide?.classes ?? {}).map(([name, about]) => [name, about.key]);
  page.set({ keys: assignKeys(keys, classes, Object.fromEntries(given)) });
}

let forgetNotice = null;

/** A sentence that goes away by itself. */
export function notify(sentence) {
  clearTimeout(forgetNotice);
  page.set({ notice: sentence, said: sentence });
  forgetNotice = setTimeout(() => page.set({ notice: null }), 6000);
}
