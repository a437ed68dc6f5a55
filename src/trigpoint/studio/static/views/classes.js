// The classes as buttons, each with its key; the suggested one is marked.
import { html, useEffect } from "../html.js";
import { classColor } from "../palette.js";
import { label } from "../store/acts.js";
import { useCell } from "../store/cell.js";
import { page } from "../store/page.js";
import { counted, percent } from "../words.js";

const SHOWN = 200; // beyond these, typing finds them

export function Classes({ item }) {
  const { classes, keys, counts } = useCell(page, (p) => ({
    classes: p.classes,
    keys: p.keys,
    counts: p.server?.counts,
  }));
  const none = counts != null && classes.length === 0;
  useEffect(() => {
    if (none) page.set({ sheet: "filter" }); // there is nothing to press yet but a name
  }, [none, item.sample]);
  const suggestion = item.suggestion;
  return html`
    <section class="answer" aria-label="Classes" data-many=${classes.length > 20 ? "yes" : "no"}>
      <div class="classes">
        ${classes.slice(0, SHOWN).map(
          (name, k) => html`
          <${ClassButton} key=${name} name=${name} number=${k} hotkey=${keys.get(name)} count=${counts?.[name] ?? 0}
            suggested=${suggestion?.value === name ? suggestion : null} mine=${item.mine === name} />
        `,
        )}
        ${
          (none || classes.length > SHOWN) &&
          html`
          <button class="class add" onClick=${() => page.set({ sheet: "filter" })}>
            <kbd>Space</kbd><span class="what">${none ? "name the first class…" : `${counted(classes.length - SHOWN)} more…`}</span>
          </button>
        `
        }
      </div>
    </section>
  `;
}

function ClassButton({ name, number, hotkey, count, suggested, mine }) {
  const hint = suggested
    ? `, suggested${suggested.probability == null ? "" : ` with ${percent(suggested.probability, 0)}`}, Enter accepts`
    : "";
  return html`
    <button
      class="class"
      style=${{ "--c": classColor(number) }}
      onClick=${() => label(name)}
      data-key=${hotkey}
      data-suggested=${suggested ? "yes" : "no"}
      data-mine=${mine ? "yes" : "no"}
      aria-label=${`${name}${hotkey ? `, key ${hotkey}` : ""}${hint}`} title=${name}>
      <kbd>${hotkey ?? "·"}</kbd>
      <bdi class="what">${name}</bdi>
      ${
        suggested
          ? html`<span class="hint">${suggested.probability == null ? "" : percent(suggested.probability, 0)} <kbd>Enter</kbd></span>`
          : html`<span class="count">${count ? counted(count) : ""}</span>`
      }
    </button>
  `;
}
