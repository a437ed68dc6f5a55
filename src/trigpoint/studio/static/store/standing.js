// What has become of each sample, in one array: its class as a number, or why it has none.
import { useMemo } from "../html.js";
import { atlas } from "../map/atlas.js";
import { useCell } from "./cell.js";
import { ahead } from "./groups.js";
import { page } from "./page.js";

export const OPEN = -1; // nobody has answered
export const LABELED = -2; // with a label that is no class
export const DISPUTED = -3;
export const UNSURE = -4;

/** @returns {Int16Array} of all samples, with what was labeled here and is on its way */
export function useStanding() {
  const { landmarks, labels } = useCell(atlas, ({ landmarks, labels }) => ({ landmarks, labels }));
  const { n, classes, trail } = useCell(page, (p) => ({
    n: p.setup.pool.n_samples,
    classes: p.classes,
    trail: p.trail,
  }));
  const deeds = ahead(trail, labels);
  const key = deeds.map((deed) => deed.group).join();
  return useMemo(() => standing(n, landmarks, deeds, classes), [n, landmarks, key, classes]);
}

function standing(n, landmarks, deeds, classes) {
  const codes = new Int16Array(n).fill(OPEN);
  if (landmarks) {
    const { labeled, codes: numbers, disputed, unsure } = landmarks;
    labeled.forEach((sample, k) => (codes[sample] = numbers[k] < 0 ? LABELED : numbers[k]));
    for (const sample of disputed) codes[sample] = DISPUTED;
    for (const sample of unsure) codes[sample] = UNSURE;
  }
  for (const { lots, relabel } of deeds)
    for (const [samples, value] of lots) {
      const code = classes.includes(value) ? classes.indexOf(value) : LABELED;
      for (const sample of samples) if (relabel || codes[sample] === OPEN) codes[sample] = code;
    }
  return codes;
}

/** How many of the samples stand how: [[words, count]], those without a label first, then the largest. */
export function tallyStanding(samples, codes, classes) {
  const counts = new Map();
  for (const sample of samples) counts.set(codes[sample], (counts.get(codes[sample]) ?? 0) + 1);
  const words = { [OPEN]: "without a label", [LABELED]: "labeled", [DISPUTED]: "in dispute", [UNSURE]: "unsure" };
  const rows = [...counts].map(([code, n]) => [code, words[code] ?? `labeled ${classes[code]}`, n]);
  const rank = ([code, , n]) => (code === OPEN ? Infinity : n);
  return rows.sort((a, b) => rank(b) - rank(a)).map(([, name, n]) => [name, n]);
}
