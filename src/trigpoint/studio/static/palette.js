// Colors of classes and values. They are CSS variables (style.css), so that there is one list of them.
export const N_COLORS = 24; // classes beyond these take the same colors in other shapes
export const SHAPES = ["round", "square", "diamond"];
export const N_RAMP = 9;

/** The color of class number k (-1: none), for a style. */
export const classColor = (k) => (k < 0 ? "var(--class-none)" : `var(--class-${k % N_COLORS})`);

/** The shape of its points on the map. */
export const classShape = (k) => SHAPES[Math.floor(Math.max(0, k) / N_COLORS) % SHAPES.length];

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
