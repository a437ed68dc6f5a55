// A note and a flag on a sample: for others, and for oneself. They change no label.
import { html, useLayoutEffect, useRef, useState } from "../html.js";
import { useCell } from "../store/cell.js";
import { useDraft } from "../store/drafts.js";
import { hasGuide } from "../store/guide.js";
import { note, toggleFlag } from "../store/notes.js";
import { isOwner } from "../store/role.js";
import { current, page } from "../store/page.js";
import { visit } from "../store/visits.js";
import { many } from "../words.js";
import { Cards } from "./card.js";
import { useSampleList } from "./sample_list.js";
import { Sheet } from "./sheet.js";

const LONGEST = 2000;
const close = () => page.set({ sheet: null });

/** The sheet on which a note is written. Enter saves. */
export function NoteSheet() {
  const item = useRef(current(page.get())).current; // the one for which it was opened
  const [text, setText, dropText] = useDraft(`note ${item?.sample}`, item?.note ?? "");
  const [flag, setFlag] = useState(Boolean(item?.flag));
  const field = useRef();
  useLayoutEffect(() => field.current?.focus(), []);
  if (!item) return null;
  const cancel = () => {
    dropText();
    close();
  };
  const save = (event) => {
    event.preventDefault();
    note(item, text.trim(), flag);
    cancel();
  };
  const onKey = (event) => event.key === "Enter" && !event.shiftKey && !event.isComposing && save(event);
  return html`
    <${Sheet} title="Note" className="note-sheet">
      <form onSubmit=${save}>
        <p class="quiet"><bdi>${item.id}</bdi></p>
        <textarea
          ref=${field}
          aria-label="Note"
          placeholder="What others should know of this sample"
          maxlength=${LONGEST}
          rows="4"
          dir="auto"
          value=${text}
          onInput=${(event) => setText(event.target.value)}
          onKeyDown=${onKey}
        ></textarea>
        <label class="tick"><input type="checkbox" checked=${flag} onChange=${(event) => setFlag(event.target.checked)} /> Flagged</label>
        <div class="row">
          <button class="primary" type="submit">Save <kbd>Enter</kbd></button>
          <button type="button" onClick=${cancel}>Cancel</button>
        </div>
      </form>
    <//>
  `;
}

/** A flag and a note in one line; nothing where there is neither. */
export const NoteMark = ({ item }) =>
  (item?.flag || item?.note) &&
  html`
    <span class="note-mark" title=${item.note || "Flagged"}>
      ${item.flag && html`<span class="flag" aria-hidden="true">⚑</span><span class="unseen">flagged</span>`}
      ${item.note && html` <span class="words-of-note" dir="auto">${item.note}</span>`}
    </span>
  `;

/** Small buttons above the sample: flag it, write a note, read the guidelines. */
export function NoteTools({ item }) {
  const { guide, viewer } = useCell(page, (p) => ({
    guide: hasGuide(p) || isOwner(p),
    viewer: p.setup.role === "viewer",
  }));
  const button = (name, mark, key, run, pressed) => html`
    <button class="small" onClick=${run} title=${`${name} (${key})`} aria-label=${`${name} ${key}`} aria-pressed=${pressed}>
      <span aria-hidden="true">${mark}</span> <kbd>${key}</kbd>
    </button>
  `;
  return html`
    <span class="head-tools">
      ${guide && button("Guidelines", "Guidelines", "i", () => page.set({ sheet: "guide" }))}
      ${!viewer && button("Note", "Note", "n", () => page.set({ sheet: "note" }))}
      ${!viewer && button("Flag", "⚑", "f", toggleFlag, item.flag ? "true" : "false")}
    </span>
  `;
}

/** All flagged samples, the latest first; a click goes through them. */
export function Flagged() {
  const { n, version } = useCell(page, (p) => ({
    n: p.server?.flagged ?? 0,
    version: `${p.server?.flagged} ${p.server?.versions.labels}`,
  }));
  const { items } = useSampleList("/api/flagged", {}, version);
  if (!n || !items?.length) return null;
  const samples = items.map((item) => item.sample);
  const tell = (item) => ({ value: item.label, note: item.note || null });
  return html`
    <h3>${many(n, "flagged sample")}</h3>
    <${Cards} items=${items} tell=${tell} onOpen=${(k) => visit("search", samples.slice(k))} />
  `;
}
