// The line to the server: actions out, items and news in.
import { settleGroups } from "./groups.js";
import { createOutbox } from "./outbox.js";
import { page, notify, refreshClasses } from "./page.js";
import { isViewer, LOOKING } from "./role.js";
import { preload, remember } from "./samples.js";

const WANT = 8; // items at hand
const LOW = 6; // below this many the page asks for more by itself
let outbox = null;
let asked = 0;
let applied = 0;

export function openLine(space, edition) {
  outbox = createOutbox({
    space,
    edition,
    asker: () => (page.get().phase === "open" && !isViewer(page.get()) ? page.get().annotator : null),
    wish: (annotator) => {
      const mine = annotator === page.get().annotator;
      return { held: mine ? held() : [], want: mine ? WANT : 0 };
    },
    onAnswer: receive,
    onChanged: loadAgain,
    onStatus: (line) => page.set({ line }),
  });
  return outbox;
}

export const held = () =>
  page
    .get()
    .deck.slice(0, 50)
    .map((item) => item.sample);

export const send = (actions) =>
  isViewer(page.get()) ? notify(LOOKING) : outbox.add(page.get().annotator, actions);
export const retryNow = () => outbox?.retry();

/** Whether something done with a sample is still on its way, so that the server does not know it. */
export const isUnsent = (sample) => unsentNow()({ sample, id: null });

/** Tells of an item whether something done with it is on its way at this moment. */
export const unsentNow = () => outbox.busy();

export function refill() {
  const p = page.get();
  if (p.phase === "open" && p.deck.length < LOW && !isViewer(p)) outbox.flush();
}

/** Numbers requests, so that a late answer never overwrites a newer one. */
export const ticket = () => (asked += 1);

let leaving = false;
export const isLeaving = () => leaving;

/** The pool is another one by now: numbers of samples, and so most of what this page holds, mean others in it. */
function loadAgain() {
  const { line } = page.get();
  if (leaving || (line.unsent && line.volatile)) return; // they are nowhere else, and go out first
  leaving = true;
  location.reload();
}

export function applyState(server, number) {
  if (server.edition !== page.get().setup.pool.edition) loadAgain();
  if (number < applied) return;
  applied = number;
  page.set({ server });
  refreshClasses(server.classes);
}

/** What was refused was not done, and cannot be undone. */
function refuse(refused) {
  for (const { why } of refused) notify(`Not accepted: ${why}`);
  const gone = new Set(refused.map(({ client }) => client));
  page.set({ trail: page.get().trail.filter((deed) => !gone.has(deed.client)) });
}

/** After the sample that is shown come those that were taken back, then random checks: they may be asked for now. */
function inOrder([shown, ...rest]) {
  const rank = (item) => (item.former != null ? 0 : item.audit ? 1 : 2);
  return shown ? [shown, ...rest.sort((a, b) => rank(a) - rank(b))] : [];
}

function receive(answer, annotator) {
  if (answer.refused.length) refuse(answer.refused);
  const none = answer.refused.map(({ client }) => ({ client, n: 0 }));
  settleGroups([...answer.saved, ...none], answer.state?.versions.labels);
  if (answer.state) applyState(answer.state, ticket());
  if (annotator !== page.get().annotator) return;
  const isBusy = outbox.busy();
  const p = page.get();
  const here = new Set(p.deck.map((item) => item.sample));
  const fresh = answer.items.filter((item) => !here.has(item.sample) && !isBusy(item));
  fresh.forEach(remember);
  fresh.forEach(preload);
  page.set({ deck: inOrder([...p.deck, ...fresh]), done: answer.done, waiting: answer.waiting, lost: null });
}
