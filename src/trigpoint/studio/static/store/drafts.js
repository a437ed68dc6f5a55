// What somebody was writing when a sheet was closed: it is there again when the sheet is, until it is saved or canceled.
import { useState } from "../html.js";

const drafts = new Map(); // what it is about -> text

export const hasDraft = (about) => drafts.has(about);

/** @returns [text, write, drop]: the draft, or what is `saved`; `drop` forgets the draft */
export function useDraft(about, saved) {
  const [text, setText] = useState(drafts.get(about) ?? saved);
  const drop = () => drafts.delete(about);
  const write = (words) => {
    setText(words);
    if (words === saved) drop();
    else drafts.set(about, words);
  };
  return [text, write, drop];
}
