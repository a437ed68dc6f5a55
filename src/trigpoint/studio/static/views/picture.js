// A picture as large as its card lets it, but a small one not larger than is pleasant: it would be all squares or blur.
import { html, useState } from "../html.js";

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

/** `children` lie over it, in the same box. */
export function Picture({ item, onSize, children }) {
  const [size, setSize] = useState(item.size);
  const [broken, setBroken] = useState(false);
  const why = item.unreadable ? `: ${item.unreadable}` : "";
  if (broken || why)
    return html`<p class="quiet center">The picture of <bdi>${item.id}</bdi> cannot be shown${why}.</p>`;
  const onLoad = ({ target }) => {
    if (size) return;
    setSize([target.naturalWidth, target.naturalHeight]);
    onSize?.([target.naturalWidth, target.naturalHeight]);
  };
  return html`
    <div class="picture" style=${most(size)}>
      <img
        class=${isCrisp(size) ? "pixels" : ""}
        src=${item.image}
        alt=${`Sample ${item.id}`}
        decoding="sync"
        draggable=${false}
        onLoad=${onLoad}
        onError=${() => setBroken(true)}
      />
      ${children}
    </div>
  `;
}
