// Key presses of the whole page. They need no focus, and mean nothing while somebody types in a field. The fields for
// numbers have the focus all the time, so while they are empty a few commands work in them.
import { accept, keep, label, moreTrail, skip, undo, unsure } from "./store/acts.js";
import { closeGallery, openGallery } from "./store/gallery.js";
import { classOf } from "./store/keymap.js";
import { toggleFlag } from "./store/notes.js";
import { current, hasPoints, isRegression, isTags, page } from "./store/page.js";
import { isViewer } from "./store/role.js";
import { toggleTag } from "./store/tags.js";
import { leave, visit } from "./store/visits.js";

const IN_EMPTY_FIELDS = ["u", "s", "k", "i", "n", "f", "z", "?", "/"];
const SCROLLS = { ArrowDown: 60, ArrowUp: -60, PageDown: 0.9, PageUp: -0.9 };

/** Views that want keys for themselves (points on a picture, numbers) put their handler here; true: taken. */
export const tool = { key: null, map: null, picture: null, escape: null, gallery: null };

export function watchKeys() {
  document.addEventListener("keydown", onKey);
  // A click must not leave the focus on a button, where the next Enter or Space would press it again.
  document.addEventListener("mousedown", (event) => event.target.closest("button") && event.preventDefault());
}

function onKey(event) {
  const p = page.get();
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || event.isComposing) return;
  if (p.phase !== "open") return;
  if (p.sheet) return event.key === "Escape" && page.set({ sheet: null }); // a sheet has keys of its own
  if (!(event.target instanceof Element)) return;
  const field = event.target.closest("input, textarea, select");
  if (field && !("numeric" in field.dataset)) return;
  if (event.target.closest("button, a, summary") && (event.key === "Enter" || event.key === " ")) return;
  if (p.gallery && tool.gallery?.(event)) return event.preventDefault();
  if (!deskHidden(p) && tool.key?.(event)) return event.preventDefault();
  if (field && !passes(event, field)) return;
  if (command(event, p, field)) event.preventDefault();
}

/** Whether a key that is pressed in a field for a number is a command all the same. */
function passes({ key }, field) {
  const empty = [...field.form.elements].every((one) => one.value === "");
  return key === "Escape" || key.startsWith("Page") || (empty && IN_EMPTY_FIELDS.includes(key.toLowerCase()));
}

function command(event, p, field) {
  const { key } = event;
  if (key === "Escape") return escape(p, field);
  if (p.gallery) return inGallery(event);
  if (!deskCovered(p) && !event.target.closest(".map") && tool.picture?.key(event)) return true;
  if (key in SCROLLS) return scroll(SCROLLS[key]);
  if (key === "ArrowLeft" || key === "ArrowRight") return walk(p, key === "ArrowLeft" ? 1 : -1);
  if (tool.map?.(key)) return true;
  if (event.repeat) return true; // a key held down is one press
  if (key === "/") return open("search");
  const simple = key.length === 1 ? key.toLowerCase() : key;
  if (simple === "u") return (isViewer(p) || undo(), true);
  if (simple === "h") return open("help");
  if (simple === "i") return open("guide");
  if (simple === "m") return (page.set({ wide: !p.wide, tab: p.wide ? "label" : "map" }), true);
  if (simple === "g") return (openGallery(), true);
  if (deskHidden(p)) return false; // nothing is said about a sample that nobody sees
  if (simple === "s") return (skip(), true);
  if (simple === "k") return (keep(), true);
  if (simple === "f") return (toggleFlag(), true);
  if (simple === "n") return current(p) ? open("note") : false;
  if (key === "?") return (unsure(), true);
  if (key === "Enter") return (accept(), true);
  if (isRegression(p)) return false;
  if (key === " ") return open("filter");
  return labelByKey(event, p);
}

/** Commands that are about no sample on the desk. */
function inGallery({ key, repeat }) {
  const commands = { u: isViewer(page.get()) ? () => {} : undo, g: closeGallery, h: () => open("help"), "/": () => open("search") };
  const run = commands[key.length === 1 ? key.toLowerCase() : key];
  if (run && !repeat) run();
  return run != null;
}

const narrow = matchMedia("(max-width: 52rem)"); // as in the style sheets: there the desk is one of the tabs
const deskCovered = (p) => p.wide || p.gallery || (narrow.matches && p.tab !== "label");
const deskHidden = (p) => isViewer(p) || deskCovered(p); // what is said about samples is not for those who look on

function labelByKey(event, p) {
  const name = classOf(event, p.keys);
  if (name == null || !current(p)) return false;
  if (isTags(p)) toggleTag(name);
  else label(name);
  return true;
}

function open(sheet) {
  page.set({ sheet });
  return true;
}

function escape(p, field) {
  const beside = p.gallery || p.visit?.source === "gallery"; // what the map holds waits behind it
  if (tool.escape && !beside) tool.escape();
  else if (p.gallery) closeGallery();
  else if (p.wide) page.set({ wide: false, tab: "label" });
  else if (p.visit) leave();
  else field?.blur(); // then every key is a command
  return true;
}

function scroll(amount) {
  const box = document.querySelector(".stage .scrolls");
  if (!box) return false;
  box.scrollBy({ top: Math.abs(amount) < 1 ? amount * box.clientHeight : amount });
  return true;
}

/** Through the history: left is further back. */
function walk(p, step) {
  if (hasPoints(p)) return false;
  const seen = new Set();
  const deeds = p.trail.filter((deed) => !seen.has(deed.sample) && seen.add(deed.sample));
  const at =
    p.visit?.source === "history" ? deeds.findIndex((deed) => deed.sample === p.visit.item.sample) : -1;
  const next = at + step;
  if (next > deeds.length - 5) moreTrail().catch(() => {});
  if (next < 0 && p.visit?.source === "history") leave();
  else if (next >= 0 && next < deeds.length) visit("history", [deeds[next].sample]);
  return true;
}
