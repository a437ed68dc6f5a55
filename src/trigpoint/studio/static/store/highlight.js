// Words that are marked in texts and cells: those that somebody typed, and those of the search that led to the sample.
import { keep, kept } from "./browser_memory.js";
import { createCell } from "./cell.js";

const WORDS = "trigpoint:highlight";

export const highlight = createCell({ typed: kept(WORDS) ?? "", searched: "" });

export function typeHighlight(typed) {
  highlight.set({ typed });
  keep(WORDS, typed);
}

/** `cheap "next day", refund` -> ["cheap", "next day", "refund"] */
export const wordsOf = (typed) =>
  [...typed.matchAll(/"([^"]+)"|([^\s,"]+)/g)].map(([, phrase, word]) => (phrase ?? word).trim()).filter(Boolean);

/** Finds any of the words, in whatever case, the longest first; null where there are none. */
export function finder(words) {
  if (!words.length) return null;
  const plain = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(plain.sort((a, b) => b.length - a.length).join("|"), "giu");
}

/** [[piece, whether it was found], …], which make up the text. */
export function pieces(text, found) {
  if (!found) return [[text, false]];
  const parts = [];
  let end = 0;
  for (const { 0: word, index } of text.matchAll(found)) {
    if (index > end) parts.push([text.slice(end, index), false]);
    parts.push([word, true]);
    end = index + word.length;
  }
  if (end < text.length || !parts.length) parts.push([text.slice(end), false]);
  return parts;
}
