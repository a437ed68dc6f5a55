// The tags as buttons that are on or off, each with its key and how likely it is; Enter saves those that are on.
import { html, useLayoutEffect, useMemo } from "../html.js";
import { tool } from "../keys.js";
import { classColor } from "../palette.js";
import { useCell } from "../store/cell.js";
import { aboutClass } from "../store/guide.js";
import { page, suggestion } from "../store/page.js";
import { confirmTags, noTags, tagsOn, toggleTag } from "../store/tags.js";
import { labelText, percent } from "../words.js";
import { longest } from "./classes.js";

export function Tags({ item }) {
  const { classes, keys, on, guess, touched } = useCell(page, (p) => ({
    classes: p.classes,
    keys: p.keys,
    tagging: p.tagging,
    guess: suggestion(p, item),
    on: tagsOn(p, item).on.join("\u0000"),
    touched: tagsOn(p, item).touched,
  }));
  const letters = useMemo(() => longest(classes), [classes]);
  const has = new Set(on ? on.split("\u0000") : []);
  // Before the next key press, not after the next frame.
  useLayoutEffect(() => {
    tool.key = (event) => {
      if (event.key === "Backspace" && !event.repeat) noTags();
      else if (event.key === "Enter" && !event.repeat) confirmTags();
      else return event.key === "Enter" || event.key === "Backspace";
      return true;
    };
    return () => (tool.key = null);
  }, []);
  const names = classes.filter((name) => has.has(name));
  const said = guess && !touched ? "Accept" : "Save";
  return html`
    <section class="answer" aria-label="Tags" data-many=${classes.length > 20 ? "yes" : "no"}>
      <div class="classes" style=${{ "--longest": letters }}>
        ${classes.map(
          (name, k) => html`
          <${TagButton} key=${name} name=${name} number=${k} hotkey=${keys.get(name)} on=${has.has(name)} sure=${guess?.tags && Object.hasOwn(guess.tags, name) ? guess.tags[name] : null} />
        `,
        )}
        ${classes.length === 0 && html`<button class="class add" onClick=${() => page.set({ sheet: "filter" })}><kbd>Space</kbd><span class="what">name the first tag…</span></button>`}
      </div>
      <div class="confirm">
        <button class="primary" onClick=${confirmTags}>
          ${said} <bdi>${names.length ? labelText(names) : "none of them"}</bdi> <kbd>Enter</kbd>
        </button>
        ${names.length > 0 && html`<button onClick=${noTags}>None <kbd>⌫</kbd><span class="unseen">Backspace</span></button>`}
      </div>
    </section>
  `;
}

function TagButton({ name, number, hotkey, on, sure }) {
  const { text } = useCell(page, (p) => aboutClass(p, name));
  return html`
    <button
      class="class tag"
      style=${{ "--c": classColor(number) }}
      onClick=${() => toggleTag(name)}
      data-key=${hotkey}
      aria-pressed=${on ? "true" : "false"}
      title=${text ? `${name}: ${text}` : name}
    >
      <bdi class="what">${name}</bdi>
      ${hotkey ? html`<span class="unseen">key</span><kbd>${hotkey}</kbd>` : html`<kbd aria-hidden="true">·</kbd>`}
      ${sure != null && html`<span class="hint">${percent(sure, 0)}</span>`}
      <span class="mark-on" aria-hidden="true">${on ? "✓" : ""}</span>
    </button>
  `;
}
