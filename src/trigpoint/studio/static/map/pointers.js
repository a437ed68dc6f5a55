// Mouse and fingers on the map: drag pans, wheel and pinch zoom, Shift-drag (or `lasso` on) draws, a tap picks.
import { pinch, turned } from "../gestures.js";

const STILL = 4; // pixels that a tap may move

export function watchPointers(canvas, { onPan, onZoom, onPoint, onTap, onDraw, onDrawn }) {
  const down = new Map(); // pointer -> [x, y]
  const hand = { lasso: false };
  let moved = 0;
  let trace = null;

  const place = (event) => {
    const { left, top } = canvas.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  };

  function start(event) {
    canvas.setPointerCapture(event.pointerId);
    down.set(event.pointerId, place(event));
    moved = down.size > 1 ? Infinity : 0;
    trace = down.size === 1 && (hand.lasso || event.shiftKey) ? [place(event)] : null;
    onPoint(null, null);
  }

  function move(event) {
    const now = place(event);
    const before = down.get(event.pointerId);
    if (!before) return event.pointerType === "mouse" && onPoint(...now);
    const others = [...down].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
    down.set(event.pointerId, now);
    moved += Math.hypot(now[0] - before[0], now[1] - before[1]);
    if (others.length) return pinch(others[0], before, now, { onPan, onZoom });
    if (trace) {
      trace.push(now);
      onDraw(trace);
    } else if (moved > STILL) onPan(now[0] - before[0], now[1] - before[1]);
  }

  function end(event) {
    if (!down.delete(event.pointerId)) return;
    if (trace && moved > 3 * STILL) onDrawn();
    else if (moved <= STILL && event.type === "pointerup") onTap(...place(event));
    trace = null;
  }

  function wheel(event) {
    event.preventDefault();
    onZoom(...place(event), Math.exp(-turned(event) / 320));
  }

  const leave = () => onPoint(null, null);
  const still = (event) => event.preventDefault(); // a click must not take the focus from the desk
  const hear = {
    pointerdown: start,
    pointermove: move,
    pointerup: end,
    pointercancel: end,
    pointerleave: leave,
    mousedown: still,
  };
  for (const [name, act] of Object.entries(hear)) canvas.addEventListener(name, act);
  canvas.addEventListener("wheel", wheel, { passive: false });
  hand.close = () => {
    for (const [name, act] of Object.entries(hear)) canvas.removeEventListener(name, act);
    canvas.removeEventListener("wheel", wheel);
  };
  return hand;
}
