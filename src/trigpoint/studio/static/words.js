// Numbers, shares, times and labels as people read them.
const plain = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

/** 12345 -> "12,345" */
export const counted = (n) => plain.format(n);

/** (1, "label") -> "1 label", (3, "label") -> "3 labels" */
export const many = (n, noun, plural = `${noun}s`) => `${counted(n)} ${n === 1 ? noun : plural}`;

/** 0.9342 -> "93.4 %", 1 -> "100 %" */
export function percent(share, digits = 1) {
  return share == null || Number.isNaN(share) ? "–" : `${Number((100 * share).toFixed(digits))} %`;
}

/** A number with as many digits as say something. */
export function figure(x) {
  if (x == null || !Number.isFinite(x)) return "–";
  const size = Math.abs(x);
  return size !== 0 && (size >= 1e6 || size < 1e-3) ? x.toExponential(2) : String(Number(x.toPrecision(4)));
}

/** 83 -> "1 min 23 s" */
export function duration(seconds) {
  const s = Math.round(seconds);
  if (s < 60) return `${s} s`;
  return s < 3600
    ? `${Math.floor(s / 60)} min ${s % 60} s`
    : `${Math.floor(s / 3600)} h ${Math.floor((s % 3600) / 60)} min`;
}

/** A label, whatever it is: a class, some numbers, some tags (perhaps none of them), or no label. */
export function labelText(value) {
  if (value == null) return "no label";
  if (!Array.isArray(value)) return String(value);
  return value.length ? value.map((one) => (typeof one === "string" ? one : figure(one))).join(", ") : "none of them";
}

/** What was done with a sample, in a word or two. */
export function deedText(deed) {
  const words = { label: labelText(deed.value), keep: `kept ${labelText(deed.value)}`, unsure: "unsure" };
  return words[deed.kind] ?? "skipped";
}

export const sameLabel = (a, b) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
