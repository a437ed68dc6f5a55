// The classes as buttons, each with its key; the suggested one is marked.
import { html, useEffect, useLayoutEffect, useMemo, useRef } from "../html.js";
import { classColor } from "../palette.js";
import { label } from "../store/acts.js";
import { useCell } from "../store/cell.js";
import { aboutClass } from "../store/guide.js";
import { lag, page, suggestion } from "../store/page.js";
import { counted, percent } from "../words.js";

const SHOWN = 200; // beyond these, typing finds them
const MANY = 12; // beyond these the buttons are smaller
const LONG = 22; // letters of a word that need not fit in a line

/** Where a name may go on in the next line, beside spaces: "left_shoe", "and/or". */
const pieces = (name) => name.split(/(?<=[_/.:])/);

/** Letters of the longest part of a name that should stay in one line. */
export const longest = (names) =>
  Math.min(LONG, Math.max(1, ...names.flatMap((name) => name.split(/[\s_/.:-]/)).map((word) => word.length)));

export function Classes({ item }) {
  const { classes, keys, counts, guess, old } = useCell(page, (p) => ({
    classes: p.classes,
    keys: p.keys,
    counts: p.server?.counts,
    old: lag(p) > 0,
    guess: item.check ? null : suggestion(p, item), // beside a label that looks wrong it has a button of its own
  }));
  const none = counts != null && classes.length === 0;
  useEffect(() => {
    if (none) page.set({ sheet: "filter" }); // there is nothing to press yet but a name
  }, [none, item.sample]);
  const letters = useMemo(() => longest(classes), [classes]);
  const box = useRef();
  useLayoutEffect(() => {
    box.current.querySelector("[data-suggested=yes]")?.scrollIntoView({ block: "nearest" });
  }, [item.sample, guess?.value]);
  return html`
    <section class="answer" aria-label="Classes" data-many=${classes.length > MANY ? "yes" : "no"} data-old=${old ? "yes" : "no"} ref=${box}>
      <div class="classes" style=${{ "--longest": letters }}>
        ${classes.slice(0, SHOWN).map(
          (name, k) => html`
          <${ClassButton}
            key=${name}
            name=${name}
            number=${k}
            hotkey=${keys.get(name)}
            count=${counts?.[name] ?? 0}
            suggested=${guess?.value === name ? guess : null}
            mine=${(item.check?.label ?? item.mine) === name}
          />
        `,
        )}
        ${
          (none || classes.length > SHOWN) &&
          html`
          <button class="class add" onClick=${() => page.set({ sheet: "filter" })}>
            <kbd>Space</kbd>
            <span class="what">${none ? "name the first class…" : `${counted(classes.length - SHOWN)} more…`}</span>
          </button>
        `
        }
      </div>
    </section>
  `;
}

/** Named by what it shows, and by a few words for those who listen. */
function ClassButton({ name, number, hotkey, count, suggested, mine }) {
  const { text } = useCell(page, (p) => aboutClass(p, name));
  return html`
    <button
      class="class"
      style=${{ "--c": classColor(number) }}
      onClick=${() => label(name)}
      data-key=${hotkey}
      data-suggested=${suggested ? "yes" : "no"}
      data-mine=${mine ? "yes" : "no"}
      title=${text ? `${name}: ${text}` : name}
    >
      <bdi class="what">${pieces(name).map((part, k) => (k ? [html`<wbr />`, part] : part))}</bdi>
      ${hotkey ? html`<span class="unseen">key</span><kbd>${hotkey}</kbd>` : html`<kbd aria-hidden="true">·</kbd>`}
      ${suggested && html`<${Hint} probability=${suggested.probability} />`}
      ${!suggested && count > 0 && html`<${Count} n=${count} />`}
    </button>
  `;
}

const Hint = ({ probability }) => html`
  <span class="unseen">suggested</span>
  <span class="hint">${probability == null ? "" : percent(probability, 0)} <kbd>Enter</kbd></span>
  <span class="unseen">accepts</span>
`;

const Count = ({ n }) => html`
  <span class="count">${counted(n)}</span><span class="unseen">${n === 1 ? "label" : "labels"}</span>
`;
