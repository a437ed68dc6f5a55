// A sheet over the page: the browser's own dialog, which keeps the focus inside and gives it back.
import { html, useLayoutEffect, useRef } from "../html.js";
import { page } from "../store/page.js";

export function Sheet({ title, className = "", onClose = () => page.set({ sheet: null }), children }) {
  const dialog = useRef();
  useLayoutEffect(() => {
    const box = dialog.current;
    box.showModal();
    return () => box.close();
  }, []);
  return html`
    <dialog ref=${dialog} class=${`sheet ${className}`} aria-label=${title} onCancel=${(event) => {
      event.preventDefault();
      onClose();
    }}
      onClick=${(event) => event.target === dialog.current && onClose()}>
      <div class="inside">
        <div class="sheet-head"><h2>${title}</h2><button class="icon" onClick=${onClose} aria-label="Close">✕</button></div>
        ${children}
      </div>
    </dialog>
  `;
}
