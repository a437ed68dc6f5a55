// Samples that somebody looks up (in the history, on the map, among the least sure): one is shown instead of the
// queue; after an act the next of its list comes, then the queue again.
import { issueOf, withIssue } from "./checks.js";
import { isUnsent } from "./line.js";
import { notify, page } from "./page.js";
import { fetchSample, fetchSamples, preload, recall } from "./samples.js";
import { labelText } from "../words.js";

let latest = 0;

/** Shows `list[at]`; the old item stays on the screen until the new one is here. */
export async function visit(source, list, at = 0) {
  const number = (latest += 1);
  try {
    const found = await withOwn(list[at]);
    if (number !== latest) return;
    const item = source === "check" ? withIssue(found) : found;
    if (!item) return step({ source, list, at });
    page.set({
      visit: { source, list, at, item },
      tab: "label",
      wide: false,
      gallery: false,
      sheet: null,
      said: `Showing ${item.id}${against(item)}`,
    });
    ahead(list, at);
  } catch (error) {
    notify(error.message);
  }
}

/** What speaks against a label, for those who listen. */
const against = ({ check }) =>
  check
    ? `: labeled ${labelText(check.label)}, ${check.suggested == null ? "the sample has changed since" : `${labelText(check.suggested)} is suggested`}`
    : "";

/** A sample as the server sees it, but with our own label of a moment ago, which may be on its way still. */
async function withOwn(sample) {
  const unsent = isUnsent(sample);
  const item = await fetchSample(sample);
  const last = page.get().trail.find((deed) => (deed.samples ?? [deed.sample]).includes(sample));
  return unsent ? { ...item, mine: last?.value ?? null } : item;
}

/** Contents of the next few, so that they come without a wait. */
function ahead(list, at) {
  const next = list.slice(at + 1, at + 5).filter((sample) => !recall(sample));
  fetchSamples(next)
    .then((found) => found.forEach(preload))
    .catch(() => {});
}

/** The next of the list, or back to the queue. */
export const advance = () => step(page.get().visit);

function step({ source, list: before, at: last }) {
  const list = source === "check" ? withNews(before) : before;
  const at = list.findIndex((sample, k) => k > last && (source !== "check" || issueOf(sample)));
  latest += 1;
  const known = recall(list[at]);
  const item = known && source === "check" ? withIssue(known) : known;
  if (item) {
    page.set({ visit: { source, list, at, item } });
    ahead(list, at);
  } else {
    page.set({ visit: null, gallery: source === "gallery" });
    if (at >= 0) visit(source, list, at);
  }
}

/** Labels that came to look wrong while others were checked follow them. */
function withNews(list) {
  const seen = new Set(list);
  const issues = page.get().checks?.issues ?? [];
  return [...list, ...issues.map((issue) => issue.sample).filter((sample) => !seen.has(sample))];
}

export function leave() {
  latest += 1;
  const gallery = page.get().visit?.source === "gallery";
  page.set({ visit: null, gallery, said: gallery ? "Back to the gallery." : "Back to the queue." });
}
