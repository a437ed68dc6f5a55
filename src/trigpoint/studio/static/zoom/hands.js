// Mouse and fingers on a picture: wheel and pinch zoom, a drag pans, a tap is a tap, two of them zoom. Places are counted
// from the middle of the stage.
import { pinch, turned } from "../gestures.js";

const STILL = { mouse: 4, pen: 6, touch: 10 }; // pixels that a tap may move
const TWICE = 350; // milliseconds between two taps
const OWN = "button, input, label, a"; // what has clicks of its own

export function watchHands(stage, { onZoom, onPan, onTap, onTwice }) {
  const down = new Map(); // pointer -> [x, y]
  let moved = 0;
  let last = null; // the tap before: {at, time}

  const place = ({ clientX, clientY }) => {
    const { left, top, width, height } = stage.getBoundingClientRect();
    return [clientX - left - width / 2, clientY - top - height / 2];
  };

  function start(event) {
    if (event.button > 0 || event.target.closest(OWN)) return;
    stage.setPointerCapture(event.pointerId);
    down.set(event.pointerId, place(event));
    moved = down.size > 1 ? Infinity : 0;
  }

  function move(event) {
    const before = down.get(event.pointerId);
    if (!before) return;
    const now = place(event);
    const [other] = [...down].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
    down.set(event.pointerId, now);
    moved += Math.hypot(now[0] - before[0], now[1] - before[1]);
    if (other) return pinch(other, before, now, { onPan, onZoom });
    if (moved > (STILL[event.pointerType] ?? STILL.touch)) onPan(now[0] - before[0], now[1] - before[1]);
  }

  function end(event) {
    if (!down.delete(event.pointerId) || event.type !== "pointerup") return;
    if (moved <= (STILL[event.pointerType] ?? STILL.touch)) tap(event);
  }

  function tap(event) {
    if (onTap) return onTap(event);
    const at = place(event);
    const twice =
      last && event.timeStamp - last.time < TWICE && Math.hypot(at[0] - last.at[0], at[1] - last.at[1]) < 30;
    last = twice ? null : { at, time: event.timeStamp };
    if (twice) onTwice(...at);
  }

  function wheel(event) {
    event.preventDefault(); // also where it stands for a pinch: then it would zoom the page
    onZoom(...place(event), Math.exp(-turned(event) / (event.ctrlKey ? 100 : 320)));
  }

  const still = (event) => event.target.closest(OWN) || event.preventDefault(); // the focus stays where it is
  const hear = {
    pointerdown: start,
    pointermove: move,
    pointerup: end,
    pointercancel: end,
    mousedown: still,
    wheel,
  };
  for (const [name, act] of Object.entries(hear)) stage.addEventListener(name, act, { passive: false });
  return () => {
    for (const [name, act] of Object.entries(hear)) stage.removeEventListener(name, act);
  };
}
