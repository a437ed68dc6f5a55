// A text with the words marked that somebody looks for, and the field for them.
import { html } from "../html.js";
import { useCell } from "../store/cell.js";
import { finder, highlight, pieces, typeHighlight, wordsOf } from "../store/highlight.js";
import { page } from "../store/page.js";

/** What finds the words to mark; those of a search only as long as its samples are shown. */
export function useFinder() {
  const { typed, searched } = useCell(highlight, (h) => h);
  const isFound = useCell(page, (p) => p.visit?.source === "search");
  return finder([...wordsOf(typed), ...(isFound && searched ? [searched] : [])]);
}

export const Marked = ({ text, find }) =>
  pieces(text, find).map(([piece, found]) => (found ? html`<mark>${piece}</mark>` : piece));

export function Highlighter() {
  const typed = useCell(highlight, (h) => h.typed);
  const onKey = (event) => (event.key === "Escape" || event.key === "Enter") && event.target.blur();
  return html`
    <label class="highlighter">
      <span class="unseen">Highlight words</span>
      <input
        type="search"
        placeholder="Highlight words"
        title='Words to mark; "some words" stay together. This browser keeps them.'
        autocomplete="off"
        spellcheck=${false}
        value=${typed}
        onInput=${(event) => typeHighlight(event.target.value)}
        onKeyDown=${onKey}
      />
    </label>
  `;
}
