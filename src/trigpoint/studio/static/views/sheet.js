// A sheet over the page: the browser's own dialog, which keeps the focus inside and gives it back.
import { html, useLayoutEffect, useRef } from "../html.js";
import { page } from "../store/page.js";

/** Handlers that close what lies over the page when somebody clicks beside it; not where a drag ends there. */
export function useOutside(onClose) {
  const from = useRef(null);
  return {
    onPointerDown: (event) => (from.current = event.target),
    onClick: (event) => event.target === event.currentTarget && from.current === event.target && onClose(),
  };
}

export function Sheet({ title, className = "", onClose = () => page.set({ sheet: null }), children }) {
  const dialog = useRef();
  const outside = useOutside(onClose);
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
      ...${outside}>
      <div class="inside">
        <div class="sheet-head"><h2>${title}</h2><button class="icon" onClick=${onClose} aria-label="Close">✕</button></div>
        ${children}
      </div>
    </dialog>
  `;
}
