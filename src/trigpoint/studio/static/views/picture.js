// A picture as large as its card lets it, but a small one not larger than is pleasant: it would be all squares or blur.
// One can look closer: see zoom/.
import { html, useLayoutEffect, useRef, useState } from "../html.js";
import { tool } from "../keys.js";
import { createLens } from "../zoom/lens.js";
import { ZoomBar } from "./zoom_bar.js";

const CRISP = 64; // pictures smaller than this many pixels show their pixels
const SIDE = "max(320px, 40vmin)"; // any picture may be shown this large,
const TIMES = 6; // or this many times its own size

export const isCrisp = (size) => size != null && Math.max(...size) < CRISP;

/** The most that a picture of `size` may take, as a style. */
function most(size) {
  if (!size) return {};
  const [maxWidth, maxHeight] = size.map(
    (n) => `max(${n * TIMES}px, ${n / Math.max(...size)} * ${SIDE})`,
  );
  return { maxWidth, maxHeight };
}

/** `children` lie over it, in the same box. `onTap` gets what was no drag. */
export function Picture({ item, onSize, onTap, children }) {
  const [size, setSize] = useState(item.size);
  const [broken, setBroken] = useState(false);
  const box = useRef();
  const hears = useRef();
  hears.current = onTap;
  const unreadable = broken || item.unreadable;
  useLayoutEffect(() => {
    if (unreadable) return;
    const lens = createLens(box.current, item, {
      onSize: (found) => {
        setSize(found);
        onSize?.(found);
      },
      onBroken: () => setBroken(true),
      onTap: onTap && ((event) => hears.current(event)),
    });
    tool.picture = lens;
    return () => {
      lens.close();
      if (tool.picture === lens) tool.picture = null;
    };
  }, [unreadable]);
  if (unreadable) {
    const why = item.unreadable ? `: ${item.unreadable}` : "";
    return html`<p class="quiet center">The picture of <bdi>${item.id}</bdi> cannot be shown${why}.</p>`;
  }
  return html`
    <div class="picture" ref=${box} style=${most(size)}>
      <div class="glass">
        <div class=${isCrisp(size) ? "pixels" : ""}></div>
        ${children}
      </div>
    </div>
    <${ZoomBar} crisp=${isCrisp(size)} />
  `;
}
