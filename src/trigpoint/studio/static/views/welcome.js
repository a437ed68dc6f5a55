// Who is there? Labels carry the name of the person who gave them.
import { html, useLayoutEffect, useRef } from "../html.js";
import { page } from "../store/page.js";
import { enter } from "../store/sync.js";
import { counted } from "../words.js";
import { Mark } from "./mark.js";

export function Welcome() {
  const { setup, annotator } = page.get();
  const field = useRef();
  useLayoutEffect(() => field.current.focus(), []);
  const submit = (event) => {
    event.preventDefault();
    const name = field.current.value.trim();
    if (name) enter(name);
  };
  return html`
    <main class="plate">
      <p class="eyebrow"><${Mark} /> <strong>trigpoint studio</strong> <bdi>${setup.pool.name}</bdi></p>
      <h1>Who is labeling?</h1>
      <p class="lead">A few well chosen labels from you predict the rest of ${counted(setup.pool.n_samples)} samples.</p>
      <form class="row" onSubmit=${submit}>
        <label class="unseen" for="name">Your name</label>
        <input id="name" ref=${field} maxlength="60" placeholder="Your name" autocomplete="name" value=${annotator} required />
        <button class="primary" type="submit">Start</button>
      </form>
      <p class="quiet">The name is saved with your labels and stays in this browser.</p>
    </main>
  `;
}
