// Real targets: one field for each number. Enter goes on to the next empty field, then saves; Enter with all fields
// empty accepts the suggestion.
import { html, useLayoutEffect, useRef, useState } from "../html.js";
import { tool } from "../keys.js";
import { accept, label } from "../store/acts.js";
import { notify, page } from "../store/page.js";
import { figure, labelText } from "../words.js";

const number = (text) => (text.trim() === "" ? NaN : Number(text.trim().replace(",", ".")));

export function Numbers({ item }) {
  const { targets } = page.get().setup;
  const names = targets.length ? targets : ["value"];
  const start = Array.isArray(item.mine) && !item.check ? item.mine.map(String) : names.map(() => "");
  const [texts, setTexts] = useState(start);
  const form = useRef();
  const fields = () => [...form.current.querySelectorAll("input")];
  useLayoutEffect(() => fields()[0].select(), []);

  /** A number typed without a field goes into the first empty one. */
  const begin = (key) => {
    const k = Math.max(
      0,
      texts.findIndex((text) => !text.trim()),
    );
    setTexts(texts.map((text, j) => (j === k ? text + key : text)));
    fields()[k].focus();
    return true;
  };
  const submit = () => {
    if (texts.every((text) => text.trim() === "") && item.suggestion) return accept();
    const values = texts.map(number);
    const wrong = values.findIndex((value) => !Number.isFinite(value));
    if (wrong >= 0) {
      fields()[wrong].focus();
      const said = `${names[wrong]} needs a number.`;
      return texts[wrong].trim() ? notify(said) : page.set({ said }); // an empty field is only the next one
    }
    label(values);
  };
  // Before the next key press, not after the next frame: the handler must know what was typed.
  useLayoutEffect(() => {
    tool.key = (event) => {
      if (/^[\d.,-]$/.test(event.key) && event.target.tagName !== "INPUT") return begin(event.key);
      if (event.key !== "Enter") return false;
      if (!event.repeat) submit();
      return true;
    };
    return () => (tool.key = null);
  });
  const suggestion = item.suggestion?.value;
  return html`
    <form class="answer numbers" ref=${form} onSubmit=${(event) => event.preventDefault()} aria-label="Values">
      ${names.map(
        (name, k) => html`
        <label key=${name}><bdi>${name}</bdi>
          <input
            data-numeric
            inputmode="decimal"
            autocomplete="off"
            value=${texts[k]}
            placeholder=${suggestion ? figure(suggestion[k]) : ""}
            aria-invalid=${texts[k].trim() !== "" && !Number.isFinite(number(texts[k])) ? "true" : "false"}
            onInput=${(event) => setTexts(texts.map((text, j) => (j === k ? event.target.value : text)))}
          />
        </label>
      `,
      )}
      <button type="button" class="primary" onClick=${submit}>
        ${suggestion && !item.check && texts.every((text) => !text.trim()) ? `Accept ${labelText(suggestion)}` : "Save"} <kbd>Enter</kbd>
      </button>
    </form>
  `;
}
