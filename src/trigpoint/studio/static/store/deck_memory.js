// Which items this tab was lent, kept over a reload: the same sample comes up again, and none stays lent to nobody.
import { page } from "./page.js";
import { fetchSamples, preload } from "./samples.js";

const FRESH = 60000; // milliseconds; later the server has lent them to somebody else
let key = null;

export function rememberDeck(space) {
  key = `${space}deck`;
  let last = null;
  page.watch(({ deck, annotator, phase }) => {
    if (deck === last || phase !== "open") return;
    last = deck;
    write({ annotator, samples: deck.map((item) => item.sample).slice(0, 50), time: Date.now() });
  });
}

function write(memory) {
  try {
    sessionStorage.setItem(key, JSON.stringify(memory));
  } catch {
    // Without it a reload begins with other samples: no label is at stake.
  }
}

/** The deck of before, without what was labeled since. */
export async function recallDeck(annotator, isBusy) {
  try {
    const memory = JSON.parse(sessionStorage.getItem(key));
    if (memory?.annotator !== annotator || Date.now() - memory.time > FRESH) return [];
    const found = await fetchSamples(memory.samples);
    const open = found.filter((item) => item.mine == null && item.label == null && !isBusy(item));
    open.forEach(preload);
    return open;
  } catch {
    return [];
  }
}
