// The classes: add one, rename one. A rename to a name that exists merges the two.
import { html, useLayoutEffect, useRef, useState } from "../html.js";
import { classColor } from "../palette.js";
import { useCell } from "../store/cell.js";
import { send } from "../store/line.js";
import { uuid } from "../store/outbox.js";
import { page, refreshClasses } from "../store/page.js";
import { counted } from "../words.js";

export function ClassList() {
  const { classes, keys, counts } = useCell(page, (p) => ({
    classes: p.classes,
    keys: p.keys,
    counts: p.server?.counts,
  }));
  const [edited, setEdited] = useState(null);
  const [fresh, setFresh] = useState("");
  const add = (event) => {
    event.preventDefault();
    const name = fresh.trim();
    setFresh("");
    if (!name || classes.includes(name)) return;
    page.set({ made: [...page.get().made, name] });
    refreshClasses();
    send([{ client: uuid(), kind: "class", name }]);
  };
  return html`
    <ul class="class-list">
      ${classes.map(
        (name, k) => html`
        <li key=${name}>
          <i class="dot" style=${{ "--c": classColor(k) }}></i>
          ${
            edited === name
              ? html`<${Rename} name=${name} classes=${classes} onDone=${() => setEdited(null)} />`
              : html`
                  <bdi class="what">${name}</bdi>
                  <kbd>${keys.get(name) ?? "·"}</kbd>
                  <span class="count">${counted(counts?.[name] ?? 0)}</span>
                  <button class="small" onClick=${() => setEdited(name)} aria-label=${`Rename ${name}`}>Rename</button>
                `
          }
        </li>
      `,
      )}
    </ul>
    <form class="row" onSubmit=${add}>
      <input
        aria-label="Name of a new class"
        placeholder="New class"
        maxlength="200"
        autocomplete="off"
        value=${fresh}
        onInput=${(event) => setFresh(event.target.value)}
      />
      <button type="submit">Add</button>
    </form>
  `;
}

function Rename({ name, classes, onDone }) {
  const [text, setText] = useState(name);
  const field = useRef();
  useLayoutEffect(() => field.current.select(), []);
  const to = text.trim();
  const merges = to !== name && classes.includes(to);
  const submit = (event) => {
    event.preventDefault();
    if (to && to !== name) send([{ client: uuid(), kind: "rename", old: name, new: to }]);
    onDone();
  };
  return html`
    <form class="row" onSubmit=${submit} onKeyDown=${(event) => event.key === "Escape" && onDone()}>
      <input
        ref=${field}
        aria-label=${`New name of ${name}`}
        maxlength="200"
        value=${text}
        onInput=${(event) => setText(event.target.value)}
      />
      <button type="submit">${merges ? "Merge" : "Rename"}</button><button type="button" onClick=${onDone}>Cancel</button>
    </form>
  `;
}
