// Is somebody there? A page that nobody touches stops renewing its loans, so that no sample waits for a person who left.
const AWAY = 120000; // milliseconds without a touch
let last = Date.now();

export const isAway = () => Date.now() - last > AWAY;

/** Calls `onReturn` at the first touch after a long time. */
export function watchPresence(onReturn) {
  const touch = () => {
    const back = isAway();
    last = Date.now();
    if (back) onReturn();
  };
  for (const name of ["keydown", "pointerdown", "pointermove", "wheel"])
    document.addEventListener(name, touch, { passive: true, capture: true });
}
