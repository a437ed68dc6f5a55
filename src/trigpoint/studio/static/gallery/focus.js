// The focus of the gallery: it is with the tiles, so that keys are about them, and with a field while somebody uses it.
export const focusTiles = () => document.querySelector(".tile-grid")?.focus({ preventScroll: true });

let pointed = false; // the last use of a field was by mouse or finger

/** For the bars around the tiles: a choice made by pointer, and Esc, give the focus back. */
export const fields = {
  onPointerDown: () => (pointed = true),
  onKeyDown: (event) => {
    pointed = false;
    if (event.key !== "Escape" || !event.target.closest("input, select")) return;
    focusTiles();
    event.stopPropagation();
  },
  onChange: () => pointed && focusTiles(),
};
