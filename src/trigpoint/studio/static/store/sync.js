// The page's life: open the pool, ask who is there, send what an earlier page left, then keep in touch.
import { get } from "../api.js";
import { many } from "../words.js";
import { moreTrail, resume, watchClock, watchNames } from "./acts.js";
import { keep, kept } from "./browser_memory.js";
import { recallDeck, rememberDeck } from "./deck_memory.js";
import { applyState, held, isLeaving, openLine, refill, retryNow, ticket } from "./line.js";
import { isNamed } from "./outbox.js";
import { watchGuide } from "./guide.js";
import { notify, page } from "./page.js";
import { isAway, watchPresence } from "./presence.js";
import { isViewer } from "./role.js";
import { tendReserve, watchReserve } from "./reserve.js";
import { fetchSamples } from "./samples.js";

const NAME = "trigpoint:name";
const PULSE = 2000;
let outbox = null;
let timer = null;

const pause = (ms) => new Promise((go) => setTimeout(go, ms));

export async function start() {
  watchClock();
  watchWindow();
  const setup = await patiently(() => get("/api/setup"));
  const { name, kind } = setup.pool;
  const space = JSON.stringify([name, kind, setup.task, setup.store]);
  outbox = openLine(`trigpoint:unsent:${space}:`, setup.pool.edition);
  rememberDeck(`trigpoint:${space}:${setup.pool.edition}:`);
  document.title = `${name} · trigpoint studio`;
  page.set({ setup });
  const annotator = setup.person ?? kept(NAME);
  if (isViewer({ setup })) page.set({ annotator: setup.person ?? "", phase: "open" });
  else if (annotator) await enter(annotator);
  else page.set({ phase: "naming" });
  pulse();
}

/** Tries until it works, and says why it does not. */
async function patiently(task) {
  for (;;) {
    try {
      return await task();
    } catch (error) {
      page.set({ opening: { ...page.get().opening, message: error.message } });
      await pause(1000);
    }
  }
}

export async function enter(annotator) {
  if (!page.get().setup.person) keep(NAME, annotator);
  page.set({ annotator, deck: [], visit: null, checks: null, trail: [], trailEnd: false });
  const { person } = page.get().setup; // what others left in this browser waits for them
  const left = outbox.left().filter((parcel) => !person || parcel.annotator === person);
  if (left.length) recover(left);
  const deck = await recallDeck(annotator, outbox.busy());
  if (deck.length) await patiently(hear); // a sample without its classes would swallow key presses
  page.set({ phase: "open", deck });
  // The history comes after what was left behind, and so holds it.
  outbox
    .flush()
    .then(moreTrail)
    .catch(() => {});
}

export const rename = () => page.set({ phase: "naming" });

/** Labels that were never sent go out now; where the pool has changed since, to the samples of the same ids. */
function recover(left) {
  const { edition } = page.get().setup.pool;
  const same = left.filter((parcel) => parcel.edition === edition);
  const fits = (parcel) => parcel.edition === edition || parcel.actions.every(isNamed);
  outbox.take(left.filter(fits));
  resume(same);
  const stay = left.filter((parcel) => !fits(parcel)).flatMap((parcel) => parcel.actions);
  const lost = stay.filter((action) => !isNamed(action)).reduce((sum, { samples }) => sum + (samples?.length ?? 1), 0);
  if (lost)
    notify(
      `The pool has changed: ${many(lost, "unsent label")} of an earlier visit cannot be matched any more. ` +
        "This browser keeps them until the pool is as before.",
    );
}

/** The server's state, and word that this page still holds its items. */
async function hear() {
  const number = ticket();
  const lent = isAway() ? null : held().join(",");
  applyState(await get("/api/state", { annotator: page.get().annotator || null, held: lent }), number);
}

/** Asks how things are, every two seconds while somebody looks. */
async function pulse() {
  clearTimeout(timer);
  if (!document.hidden) {
    try {
      await hear();
      if (page.get().lost) {
        page.set({ lost: null });
        retryNow();
      }
      if (!isAway()) refill();
      if (!isAway()) tendReserve();
    } catch (error) {
      page.set({ lost: error.message });
    }
  }
  clearTimeout(timer);
  timer = setTimeout(pulse, page.get().deck.length || page.get().done ? PULSE : PULSE / 3);
}

function watchWindow() {
  document.addEventListener("visibilitychange", () => !document.hidden && page.get().setup && pulse());
  window.addEventListener("online", () => retryNow());
  window.addEventListener("beforeunload", (event) => {
    if (page.get().line.unsent && !isLeaving()) event.preventDefault();
  });
  watchPresence(comeBack);
  watchPredictions();
  watchNames();
  watchSkipped();
  watchGuide();
  watchReserve();
}

/** Pictures that turn out to be damaged leave the deck, also the shown one. */
function watchSkipped() {
  let known = 0;
  page.watch(({ server }) => {
    const n = server?.n_skipped ?? 0;
    if (n === known) return;
    known = n;
    notify(`${many(n, "picture")} could not be read and ${n === 1 ? "is" : "are"} left out: see Progress.`);
    dropLabeled();
  });
}

/** After a long time: others may have labeled what lies further down the deck; the shown one stays. */
const comeBack = () => dropLabeled(1);

/** Takes what has a label by now, or cannot be read, off the deck, but for the first `kept` of it. */
export async function dropLabeled(kept = 0) {
  const found = await fetchSamples(held()).catch(() => []);
  const gone = new Set(
    found.filter((item) => item.label != null || item.unreadable).map((item) => item.sample),
  );
  page.set({ deck: page.get().deck.filter((item, k) => k < kept || !gone.has(item.sample)) });
  pulse();
}

/** Suggestions of items further down the deck follow what was learned since; the shown one stays as it is. */
function watchPredictions() {
  let version = 0;
  page.watch(async (p) => {
    const now = p.server?.versions.predictions ?? 0;
    if (now === version || p.deck.length < 2) return;
    version = now;
    const found = await fetchSamples(p.deck.slice(1).map((item) => item.sample)).catch(() => []);
    const news = new Map(found.map((item) => [item.sample, item.suggestion]));
    const renew = (item, k) =>
      k > 0 && news.has(item.sample) ? { ...item, suggestion: news.get(item.sample) } : item;
    page.set({ deck: page.get().deck.map(renew) });
  });
}
