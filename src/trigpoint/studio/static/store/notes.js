// Notes and flags: what was written shows at once, and is sent like all else.
import { send } from "./line.js";
import { uuid } from "./outbox.js";
import { current, page } from "./page.js";
import { recall, remember } from "./samples.js";

/** Puts a note and a flag on a sample; no words and no flag remove them. */
export function note(item, text, flag) {
  if ((item.note ?? "") === text && Boolean(item.flag) === flag) return;
  const p = page.get();
  const noted = (one) => (one?.sample === item.sample ? { ...one, note: text, flag } : one);
  const known = recall(item.sample);
  if (known) remember(noted(known));
  page.set({
    deck: p.deck.map(noted),
    visit: p.visit && { ...p.visit, item: noted(p.visit.item) },
    said: flag ? "Flagged." : text ? "Noted." : "No flag, no note.",
  });
  send([{ client: uuid(), kind: "note", sample: item.sample, id: item.id, text, flag }]);
}

/** Flags the sample that is shown, or takes its flag away. */
export function toggleFlag() {
  const item = current(page.get());
  if (item) note(item, item.note ?? "", !item.flag);
}
