// Trouble, said plainly: labels that wait, a server that does not answer. It lies over the page and moves nothing.
import { html, useEffect, useState } from "../html.js";
import { useCell } from "../store/cell.js";
import { retryNow } from "../store/line.js";
import { page } from "../store/page.js";
import { many } from "../words.js";

export function Banner() {
  const { line, lost, notice, failed } = useCell(page, (p) => ({
    line: p.line,
    lost: p.lost,
    notice: p.notice,
    failed: p.server?.failed,
  }));
  const trouble = line.trouble;
  if (trouble || (lost && line.unsent))
    return html`
      <${Trouble} message=${trouble?.message ?? lost} retryAt=${trouble?.retryAt} unsent=${line.unsent} />
    `;
  if (lost)
    return html`<div class="banner bad" role="alert">${lost} The page continues automatically when it is back.</div>`;
  if (line.volatile && line.unsent)
    return html`
      <div class="banner bad" role="alert">
        The browser's storage is full: keep this page open until everything is saved.
      </div>
    `;
  if (notice) return html`<div class="banner" role="status" aria-live="off">${notice}</div>`; // it is said elsewhere
  return failed ? html`<div class="banner bad" role="alert">${failed}</div>` : null;
}

function Trouble({ message, retryAt, unsent }) {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((k) => k + 1), 500);
    return () => clearInterval(timer);
  }, []);
  const left = retryAt ? Math.max(0, Math.ceil((retryAt - Date.now()) / 1000)) : 0;
  const wait = unsent ? `${many(unsent, "action")} ${unsent === 1 ? "waits" : "wait"} here, ` : "";
  return html`
    <div class="banner bad" role="alert" data-testid="trouble">
      <span>
        ${message} <span class="nowrap">${wait}${left ? `retrying in ${left} s.` : "retrying now."}</span>
        ${unsent ? " You can go on." : ""}
      </span>
      <button onClick=${retryNow}>Retry now</button>
    </div>
  `;
}
