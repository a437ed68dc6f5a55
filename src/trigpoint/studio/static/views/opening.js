// Before there is anything to show: what is going on, and for how long.
import { html, useEffect, useState } from "../html.js";
import { useCell } from "../store/cell.js";
import { page } from "../store/page.js";
import { duration, percent } from "../words.js";
import { Mark } from "./mark.js";

export function Opening() {
  const { message } = useCell(page, (p) => p.opening);
  return html`
    <main class="plate">
      <p class="eyebrow"><${Mark} /> <strong>trigpoint studio</strong></p>
      <${Stage} stage=${null} words=${message ?? "Opening the pool"} since=${page.get().opening.since} />
    </main>
  `;
}

/** One stage of computing, with a bar and the time since it began. */
export function Stage({ stage, words, since }) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  const share = stage?.share;
  const name = stage ? stage.name : words;
  return html`
    <div class="computing" role="status">
      <h2>${name.charAt(0).toUpperCase() + name.slice(1)}</h2>
      <progress max="1" value=${share ?? undefined} aria-label=${name}></progress>
      <p class="quiet">${share == null ? "" : `${percent(share, 0)}, `}${duration((now - since) / 1000)} so far</p>
    </div>
  `;
}
