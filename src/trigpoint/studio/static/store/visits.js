// Samples that somebody looks up (in the history, on the map, among the least sure): one is shown instead of the
// queue; after an act the next of its list comes, then the queue again.
import { isUnsent } from "./line.js";
import { notify, page } from "./page.js";
import { fetchSample, fetchSamples, recall } from "./samples.js";

let latest = 0;

/** Shows `list[at]`; the old item stays on the screen until the new one is here. */
export async function visit(source, list, at = 0) {
  const number = (latest += 1);
  try {
    const item = await withOwn(list[at]);
    if (number !== latest) return;
    page.set({
      visit: { source, list, at, item },
      tab: "label",
      wide: false,
      sheet: null,
      said: `Showing ${item.id}`,
    });
    ahead(list, at);
  } catch (error) {
    notify(error.message);
  }
}

/** A sample as the server sees it, but with our own label of a moment ago, which may be on its way still. */
async function withOwn(sample) {
  const unsent = isUnsent(sample);
  const item = await fetchSample(sample);
  const last = page.get().trail.find((deed) => deed.sample === sample);
  return unsent ? { ...item, mine: last?.value ?? null } : item;
}

/** Contents of the next few, so that they come without a wait. */
function ahead(list, at) {
  const next = list.slice(at + 1, at + 5).filter((sample) => !recall(sample));
  fetchSamples(next).catch(() => {});
}

/** The next of the list, or back to the queue. */
export function advance() {
  const { source, list, at } = page.get().visit;
  const next = list[at + 1];
  latest += 1;
  if (next === undefined) page.set({ visit: null });
  else if (recall(next)) {
    page.set({ visit: { source, list, at: at + 1, item: recall(next) } });
    ahead(list, at + 1);
  } else {
    page.set({ visit: null });
    visit(source, list, at + 1);
  }
}

export function leave() {
  latest += 1;
  page.set({ visit: null, said: "Back to the queue." });
}
