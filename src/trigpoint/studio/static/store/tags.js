// The tags of the sample that is shown: those that are on are saved by Enter. They start as its own label or as what is
// suggested, and the first change makes them one's own.
import { label } from "./acts.js";
import { send } from "./line.js";
import { uuid } from "./outbox.js";
import { current, page, refreshClasses, suggestion } from "./page.js";

/** Which tags are on, and whether somebody has changed that. */
export function tagsOn(p, item = current(p)) {
  if (!item) return { on: [], touched: false };
  if (p.tagging?.sample === item.sample) return { on: p.tagging.on, touched: true };
  const start = item.check?.label ?? item.mine ?? suggestion(p, item)?.value ?? [];
  return { on: start.filter((name) => p.classes.includes(name)), touched: false };
}

function turn(on) {
  const { sample } = current(page.get());
  page.set({ tagging: { sample, on } });
}

export function toggleTag(name) {
  const p = page.get();
  if (!current(p)) return;
  if (!p.classes.includes(name)) {
    page.set({ made: [...p.made, name] });
    refreshClasses();
    send([{ client: uuid(), kind: "class", name }]);
  }
  const { on } = tagsOn(page.get());
  const has = on.includes(name);
  turn(has ? on.filter((one) => one !== name) : [...on, name]);
  page.set({ said: `${name} ${has ? "off" : "on"}` });
}

/** None of them: Enter then saves that. */
export function noTags() {
  if (current(page.get())) turn([]);
}

export function confirmTags() {
  const p = page.get();
  if (!current(p)) return;
  const { on } = tagsOn(p);
  page.set({ tagging: null });
  label([...on].sort());
}
