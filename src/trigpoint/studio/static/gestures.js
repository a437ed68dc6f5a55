// What hands do alike on the map and on a picture.

/** Two fingers, of which one stays at `fixed` and the other has moved: a pan and a zoom about their middle. */
export function pinch(fixed, before, now, { onPan, onZoom }) {
  const spread = ([x, y]) => Math.hypot(x - fixed[0], y - fixed[1]) || 1;
  onPan((now[0] - before[0]) / 2, (now[1] - before[1]) / 2);
  onZoom((now[0] + fixed[0]) / 2, (now[1] + fixed[1]) / 2, spread(now) / spread(before));
}

/** How far a wheel was turned, in pixels; never so far that one is lost. */
export function turned({ deltaMode, deltaY }) {
  const lines = deltaMode === 1 ? 16 : 1;
  return Math.max(-240, Math.min(240, deltaY * lines));
}
