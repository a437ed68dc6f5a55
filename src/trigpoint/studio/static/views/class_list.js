// The classes: add one, give one another name, a line, an example, a key; put them in order. A rename to a name that exists
// merges the two, and can be undone.
import { html, useLayoutEffect, useRef, useState } from "../html.js";
import { classColor } from "../palette.js";
import { renameClass, undoRename } from "../store/acts.js";
import { useCell } from "../store/cell.js";
import { aboutClass, describe } from "../store/guide.js";
import { isOwner } from "../store/role.js";
import { keyProblem } from "../store/keymap.js";
import { send } from "../store/line.js";
import { uuid } from "../store/outbox.js";
import { current, isTags, notify, page, refreshClasses } from "../store/page.js";
import { counted } from "../words.js";

const collator = new Intl.Collator(undefined, { numeric: true });

export function ClassList() {
  const { classes, counts, owner, viewer, tags } = useCell(page, (p) => ({
    classes: p.classes,
    keys: p.keys,
    counts: p.server?.counts,
    owner: isOwner(p),
    viewer: p.setup.role === "viewer",
    tags: isTags(p),
  }));
  const [edited, setEdited] = useState(null);
  const [byHand, setByHand] = useState(false);
  const what = tags ? "tag" : "class";
  return html`
    ${owner && classes.length > 1 && html`<${Sorting} ...${{ classes, counts, byHand, setByHand }} />`}
    <ul class="class-list">
      ${classes.map((name, k) =>
        edited === name
          ? html`<li key=${name}><${Edit} name=${name} classes=${classes} onDone=${() => setEdited(null)} /></li>`
          : html`
              <${Row} key=${name} name=${name} number=${k} count=${counts?.[name] ?? 0}>
                ${byHand && html`<${Moves} name=${name} classes=${classes} />`}
                ${owner && !byHand && html`<button class="small" onClick=${() => setEdited(name)} aria-label=${`Edit ${name}`}>Edit</button>`}
              <//>
            `,
      )}
    </ul>
    ${!viewer && html`<${Add} classes=${classes} what=${what} />`}
    ${owner && html`<${Renames} />`}
  `;
}

function Row({ name, number, count, children }) {
  const { key, text } = useCell(page, (p) => ({ key: p.keys.get(name), text: aboutClass(p, name).text }));
  return html`
    <li>
      <i class="dot" style=${{ "--c": classColor(number) }}></i>
      <span class="what named"><bdi>${name}</bdi>${text && html`<small class="quiet" dir="auto">${text}</small>`}</span>
      <kbd>${key ?? "·"}</kbd>
      <span class="count">${counted(count)}</span>
      ${children}
    </li>
  `;
}

const order = (names) => send([{ client: uuid(), kind: "order", names }]);

function Sorting({ classes, counts, byHand, setByHand }) {
  const byName = () => order([...classes].sort(collator.compare));
  const byCount = () => order([...classes].sort((a, b) => (counts?.[b] ?? 0) - (counts?.[a] ?? 0)));
  return html`
    <div class="sorting" role="toolbar" aria-label="Order">
      <span class="quiet">Sort</span>
      <button class="small" onClick=${byName}>A–Z</button>
      <button class="small" onClick=${byCount}>By count</button>
      <button class="small" aria-pressed=${byHand ? "true" : "false"} onClick=${() => setByHand(!byHand)}>By hand</button>
    </div>
  `;
}

function Moves({ name, classes }) {
  const at = classes.indexOf(name);
  const move = (step) => {
    const names = [...classes];
    names.splice(at, 1);
    names.splice(at + step, 0, name);
    order(names);
  };
  return html`
    <button class="small" disabled=${at === 0} onClick=${() => move(-1)} aria-label=${`Move ${name} up`}>↑</button>
    <button class="small" disabled=${at === classes.length - 1} onClick=${() => move(1)} aria-label=${`Move ${name} down`}>↓</button>
  `;
}

function Add({ classes, what }) {
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
    <form class="row" onSubmit=${add}>
      <input
        aria-label=${`Name of a new ${what}`}
        placeholder=${`New ${what}`}
        maxlength="200"
        autocomplete="off"
        value=${fresh}
        onInput=${(event) => setFresh(event.target.value)}
      />
      <button type="submit">Add</button>
    </form>
  `;
}

/** Name, line, key and example of a class. What the owner leaves alone stays as it is. */
function Edit({ name, classes, onDone }) {
  const { about, keys, shown, n } = useCell(page, (p) => ({
    about: aboutClass(p, name),
    keys: p.keys,
    shown: current(p)?.sample ?? null,
    n: p.setup.pool.n_samples,
  }));
  const [text, setText] = useState(name);
  const [line, setLine] = useState(about.text);
  const [key, setKey] = useState(about.key ?? "");
  const [example, setExample] = useState(about.example == null ? "" : String(about.example));
  const field = useRef();
  useLayoutEffect(() => field.current.select(), []);
  const to = text.trim();
  const merges = to !== name && classes.includes(to);
  const submit = (event) => {
    event.preventDefault();
    const wish = key.trim().toLowerCase();
    const number = example.trim() === "" ? null : Number(example.trim());
    const wrong = wish && wish !== about.key ? keyProblem(name, wish, keys) : null;
    if (wrong) return notify(wrong);
    if (number != null && !(Number.isInteger(number) && number >= 0 && number < n))
      return notify(`The example must be the number of a sample, 0 to ${n - 1}; got ${example.trim()}.`);
    const now = { text: line.trim(), example: number, key: wish || null };
    if (Object.keys(now).some((part) => now[part] !== about[part])) describe(name, now);
    if (to && to !== name) renameClass(name, to);
    onDone();
  };
  const onKey = (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    onDone();
  };
  return html`
    <form class="about-class" onSubmit=${submit} onKeyDown=${onKey}>
      <label>Name
        <input ref=${field} aria-label=${`New name of ${name}`} maxlength="200" value=${text} onInput=${(event) => setText(event.target.value)} />
      </label>
      <label>Line
        <input aria-label=${`Line of ${name}`} placeholder="What belongs to it, in a sentence" maxlength="500" value=${line} onInput=${(event) => setLine(event.target.value)} />
      </label>
      <div class="pair">
        <label>Key
          <input aria-label=${`Key of ${name}`} placeholder=${keys.get(name) ?? "–"} maxlength="2" autocomplete="off" autocapitalize="off" value=${key} onInput=${(event) => setKey(event.target.value)} />
        </label>
        <label>Example
          <input aria-label=${`Example of ${name}, the number of a sample`} placeholder="number" inputmode="numeric" maxlength="10" value=${example} onInput=${(event) => setExample(event.target.value)} />
        </label>
        ${shown != null && html`<button type="button" class="small" onClick=${() => setExample(String(shown))}>The one on the desk</button>`}
      </div>
      <div class="row">
        <button class="primary" type="submit">${merges ? "Merge" : "Save"}</button><button type="button" onClick=${onDone}>Cancel</button>
      </div>
    </form>
  `;
}

/** The latest renames, each with a way back. */
function Renames() {
  const renames = useCell(page, (p) => p.guide?.renames ?? NONE);
  if (!renames.length) return null;
  return html`
    <h3>Renamed and merged</h3>
    <ul class="renames">
      ${renames.map(
        ({ client, old, new: now, merged }) => html`
        <li key=${client}>
          <span><bdi>${old}</bdi> ${merged ? "merged into" : "renamed"} <bdi>${now}</bdi></span>
          <button class="small" onClick=${() => undoRename(client)}>
            ${merged ? "Undo merge" : "Undo rename"}<span class="unseen"> of ${old}</span>
          </button>
        </li>
      `,
      )}
    </ul>
  `;
}

const NONE = [];
