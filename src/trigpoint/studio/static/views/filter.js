// Type to find a class; Enter takes the first match, or makes a new class when nothing matches.
import { html, useLayoutEffect, useRef, useState } from "../html.js";
import { classColor } from "../palette.js";
import { label } from "../store/acts.js";
import { useCell } from "../store/cell.js";
import { aboutClass } from "../store/guide.js";
import { isTags, page } from "../store/page.js";
import { toggleTag } from "../store/tags.js";
import { useOutside } from "./sheet.js";

/** Classes that hold `query`; those that begin with it first. */
export function matches(classes, query) {
  const q = query.trim().toLowerCase();
  const found = classes.filter((name) => name.toLowerCase().includes(q));
  const rank = (name) => (name.toLowerCase() === q ? 0 : name.toLowerCase().startsWith(q) ? 1 : 2);
  return q ? found.sort((a, b) => rank(a) - rank(b)) : found;
}

const close = () => page.set({ sheet: null });

/** `onPick` gets the class, which may be new; without it the sample on the desk does. */
export function Filter({ onPick, title }) {
  const { classes, tags } = useCell(page, (p) => ({ classes: p.classes, guide: p.guide, tags: isTags(p) }));
  const what = tags ? "tag" : "class";
  const take = onPick ?? (tags ? toggleTag : label);
  const question = title ?? `Which ${what}?`;
  const [query, setQuery] = useState("");
  const [at, setAt] = useState(0);
  const outside = useOutside(close);
  const field = useRef();
  const list = useRef();
  useLayoutEffect(() => field.current.focus(), []);
  useLayoutEffect(
    () => list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" }),
    [at],
  );
  const name = query.trim();
  const found = matches(classes, query).slice(0, 100);
  const fresh = name && !classes.includes(name);
  const options = fresh ? [...found, null] : found; // null: make a new one

  const pick = (option) => {
    close();
    take(option ?? name);
  };
  const type = (event) => {
    setQuery(event.target.value);
    setAt(0);
  };
  const known = (option, k) => html`
    <i class="dot" style=${{ "--c": classColor(classes.indexOf(option)) }}></i>
    <span class="named"><bdi>${option}</bdi><${ClassLine} name=${option} /></span>
    ${k === 0 && html`<kbd>Enter</kbd>`}
  `;
  const onKey = (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.isComposing) return;
    if (step && options.length) setAt((at + step + options.length) % options.length);
    else if (event.key === "Enter" && event.shiftKey && fresh) pick(null);
    else if (event.key === "Enter" && options.length && name + found.length)
      pick(options[Math.min(at, options.length - 1)]);
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return html`
    <div class="veil" ...${outside}>
      <div class="sheet finder" role="dialog" aria-modal="true" aria-label=${question}>
        <input
          ref=${field}
          role="combobox"
          aria-expanded="true"
          aria-controls="found"
          aria-activedescendant=${options.length ? `found-${at}` : null}
          aria-label=${question}
          placeholder=${classes.length ? `Type to find or to make a ${what}` : `Name the first ${what}`}
          maxlength="200"
          autocomplete="off"
          spellcheck=${false}
          value=${query}
          onInput=${type}
          onKeyDown=${onKey}
        />
        <ul id="found" role="listbox" ref=${list} aria-label=${tags ? "Tags" : "Classes"}>
          ${options.map(
            (option, k) => html`
            <li
              key=${option ?? " new"}
              id=${`found-${k}`}
              role="option"
              aria-selected=${k === at ? "true" : "false"}
              onClick=${() => pick(option)}
            >
              ${option === null ? html`<${New} name=${name} what=${what} alone=${!found.length} />` : known(option, k)}
            </li>
          `,
          )}
        </ul>
      </div>
    </div>
  `;
}

function ClassLine({ name }) {
  const { text } = aboutClass(page.get(), name);
  return text && html`<small class="quiet" dir="auto">${text}</small>`;
}

const New = ({ name, what, alone }) => html`
  <span class="plus" aria-hidden="true">+</span><span>New ${what} <b dir="auto">${name}</b></span>
  <kbd>${alone ? "Enter" : "Shift Enter"}</kbd>
`;
