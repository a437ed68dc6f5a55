// The glass over a picture: hands and keys move it, and it fetches as many pixels as can be seen.
import { page } from "../store/page.js";
import { zoom } from "../store/zoom.js";
import { watchHands } from "./hands.js";
import { createSheet } from "./sheet.js";
import { bounded, panned, revealing, toggled, WHOLE, zoomedAt } from "./view.js";

const STEP = 1.5; // of a key
const ARROWS = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** `box` lies in the stage and holds `glass`, which is moved, which holds `place`, where the picture goes. */
export function createLens(box, item, { onSize, onBroken, onTap }) {
  const stage = box.parentElement;
  const glass = box.firstElementChild;
  let size = item.size; // where it is not known, nobody looks closer before the picture is here
  let view = WHOLE;
  const sheet = createSheet(glass.firstElementChild, item, { onLoad, onBroken });

  function frame() {
    const [w, h] = size;
    const unit = Math.min(box.offsetWidth / w, box.offsetHeight / h) || 1;
    return { stage: [stage.clientWidth, stage.clientHeight], fit: [w * unit, h * unit], unit };
  }

  function look(next, now = frame()) {
    view = bounded(next, now);
    lay();
    glass.style.setProperty("--zoom", view.k);
    box.dataset.zoomed = view.k > 1 ? "yes" : "no";
    const place = [view.x / now.fit[0], view.y / now.fit[1]];
    zoom.set({ k: view.k, place, percent: 100 * now.unit * view.k * devicePixelRatio });
    sheet.want(Math.max(...now.fit) * view.k * devicePixelRatio);
  }

  /** By its box and not by a transform: browsers round boxes to whole pixels first, and would scale the error. */
  function lay() {
    const [w, h] = [box.offsetWidth, box.offsetHeight];
    const [left, top] = [(w * (1 - view.k)) / 2 + view.x, (h * (1 - view.k)) / 2 + view.y];
    glass.style.inset = view.k > 1 ? `${top}px auto auto ${left}px` : "";
    glass.style.width = view.k > 1 ? `${w * view.k}px` : "";
    glass.style.height = view.k > 1 ? `${h * view.k}px` : "";
  }

  function begin() {
    const { pinned, k, place } = zoom.get();
    const now = frame();
    look(pinned ? { k, x: place[0] * now.fit[0], y: place[1] * now.fit[1] } : WHOLE, now);
  }

  function onLoad(natural) {
    if (size) return;
    size = natural;
    onSize?.(natural);
    requestAnimationFrame(begin); // after the box has got its size
  }

  function say() {
    page.set({ said: view.k > 1 ? `Zoom ${Math.round(zoom.get().percent)} %` : "The whole picture" });
  }

  const lens = {
    zoom(factor) {
      if (!size) return;
      look(zoomedAt(view, frame(), 0, 0, factor));
      say();
    },
    toggle(x = 0, y = 0) {
      if (!size) return;
      look(toggled(view, frame(), x, y, devicePixelRatio));
      say();
    },
    /** A place of the original comes into sight. */
    reveal(point) {
      if (view.k > 1) look(revealing(view, frame(), point, size));
    },
    /** Whether the key was one of the lens. */
    key({ key, shiftKey, repeat }) {
      if (!size) return false;
      if (key === "+" || key === "=") lens.zoom(STEP);
      else if (key === "-") lens.zoom(1 / STEP);
      else if (key === "z" || key === "Z") repeat || lens.toggle();
      else if (key in ARROWS && shiftKey && view.k > 1) {
        const now = frame();
        look(panned(view, now, ...ARROWS[key].map((way, a) => (way * now.stage[a]) / 5)));
      } else return false;
      return true;
    },
    close() {
      hands();
      eye.disconnect();
      sheet.close();
    },
  };
  const hands = watchHands(stage, {
    onZoom: (x, y, factor) => size && look(zoomedAt(view, frame(), x, y, factor)),
    onPan: (dx, dy) => view.k > 1 && look(panned(view, frame(), dx, dy)),
    onTwice: lens.toggle,
    onTap,
  });
  const eye = new ResizeObserver(() => size && look(view));
  eye.observe(stage);
  if (size) begin();
  return lens;
}
