// Colors of classes and values. They are CSS variables (style.css), so that there is one list of them.
export const N_COLORS = 10; // classes beyond these share one color
export const N_RAMP = 9;

/** The color of class number k (-1: none), for a style. */
export function classColor(k) {
  if (k < 0) return "var(--class-none)";
  return k < N_COLORS ? `var(--class-${k})` : "var(--class-rest)";
}

export const rampColor = (k) => `var(--ramp-${k})`;

/** CSS colors as [r, g, b] of 0..255, in the theme of now. */
export function resolve(colors) {
  const probe = document.createElement("span");
  document.body.append(probe);
  const found = colors.map((color) => {
    probe.style.color = color;
    return getComputedStyle(probe)
      .color.match(/[\d.]+/g)
      .slice(0, 3)
      .map(Number);
  });
  probe.remove();
  return found;
}
