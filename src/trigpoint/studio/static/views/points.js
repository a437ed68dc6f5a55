// Points on a picture, placed in order by click, touch or arrow keys, moved by dragging. Coordinates are pixels of
// the original picture; its upper left corner is (0, 0), the center of its first pixel (0.5, 0.5).
import { html, useLayoutEffect, useRef, useState } from "../html.js";
import { classColor } from "../palette.js";
import { tool } from "../keys.js";
import { accept, label } from "../store/acts.js";
import { page } from "../store/page.js";
import { zoom } from "../store/zoom.js";
import { Picture } from "./picture.js";

const EDGE = 8; // pixels of the screen
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** [x0, y0, x1, y1] -> [[x0, y0], [x1, y1]] */
const pairs = (values) => Array.from({ length: values.length / 2 }, (_, k) => values.slice(2 * k, 2 * k + 2));
const round = (x) => Math.round(100 * x) / 100;

export function Points({ item }) {
  const names = page.get().setup.points;
  const [size, setSize] = useState(item.size);
  const [placed, setPlaced] = useState(Array.isArray(item.mine) && !item.check ? pairs(item.mine) : []);
  const [cursor, setCursor] = useState(null); // of the keyboard
  const [dragged, setDragged] = useState(-1);
  const svg = useRef();
  const [w, h] = size ?? [1, 1];
  const full = placed.length === names.length;
  const ghosts = item.suggestion && !placed.length ? pairs(item.suggestion.value) : [];
  const checked = item.check && !placed.length ? pairs(item.check.label) : [];

  /** Pixels of the page of one of the original, however closely somebody looks. */
  const unit = () => {
    const { width, height } = svg.current.getBoundingClientRect();
    return Math.min(width / w, height / h);
  };
  /** Where an event is in the picture's pixels; beside it, too. */
  const around = (event) => {
    const { left, top, width, height } = svg.current.getBoundingClientRect();
    return [
      (event.clientX - left - width / 2) / unit() + w / 2,
      (event.clientY - top - height / 2) / unit() + h / 2,
    ];
  };
  const at = (event) => {
    const [x, y] = around(event);
    return [round(Math.min(w, Math.max(0, x))), round(Math.min(h, Math.max(0, y)))];
  };
  /** A tap beside the picture places nothing, but a finger may miss its edge by a little. */
  const tap = (event) => {
    const [x, y] = around(event);
    const near = EDGE / unit();
    if (x >= -near && y >= -near && x <= w + near && y <= h + near) place(at(event));
  };
  const place = (point) => {
    if (full) return;
    setPlaced([...placed, point]);
    setCursor(null);
    page.set({ said: `${names[placed.length]} placed. ${names[placed.length + 1] ?? "Enter saves."}` });
  };
  const save = () => {
    if (full) label(placed.flat());
    else if (!placed.length) accept();
  };
  /** A press on a point takes hold of it; all other presses are taps, or move the picture. */
  const onDown = (event) => {
    const here = at(event);
    const near = placed.findIndex(([x, y]) => Math.hypot(x - here[0], y - here[1]) < 14 / unit());
    if (near < 0 || event.button > 0) return;
    event.preventDefault();
    event.stopPropagation();
    svg.current.setPointerCapture(event.pointerId);
    setDragged(near);
  };
  const onMove = (event) =>
    dragged >= 0 && setPlaced(placed.map((point, k) => (k === dragged ? at(event) : point)));

  const spot = (at, number) => ({ at, size, number, name: names[number] });
  const told = (k) => {
    if (placed[k]) return placed[k].map((x) => x.toFixed(1)).join(", ");
    return k === placed.length ? "click, or arrows and Enter" : "";
  };

  // Before the next key press, not after the next frame: the handler must know what was typed.
  useLayoutEffect(() => {
    tool.key = (event) => {
      const arrow = ARROWS[event.key];
      if (arrow) {
        const step = event.shiftKey ? 1 : Math.max(1, Math.max(w, h) / 50 / zoom.get().k);
        const [x, y] = cursor ?? [w / 2, h / 2];
        const next = [
          Math.min(w, Math.max(0, x + step * arrow[0])),
          Math.min(h, Math.max(0, y + step * arrow[1])),
        ];
        setCursor(next);
        tool.picture?.reveal(next);
      } else if (event.key === "Enter") {
        if (event.repeat) return true;
        if (cursor && !full) place(cursor.map(round));
        else save();
      } else if ((event.key === "Backspace" || event.key === "u") && placed.length)
        setPlaced(placed.slice(0, -1));
      else return false;
      return true;
    };
    return () => (tool.key = null);
  });
  return html`
    <section class="stage points" aria-label="The picture: place the points">
      <${Picture} item=${item} onSize=${setSize} onTap=${(event) => size && tap(event)}>
        ${
          size &&
          html`
          <svg
            ref=${svg}
            viewBox=${`0 0 ${w} ${h}`}
            aria-hidden="true"
            onPointerDown=${onDown}
            onPointerMove=${onMove}
            onPointerUp=${() => setDragged(-1)}
            onPointerCancel=${() => setDragged(-1)}
          >
            ${ghosts.map((point, k) => html`<${Spot} key=${`g${k}`} ...${spot(point, k)} ghost />`)}
            ${checked.map((point, k) => html`<${Spot} key=${`c${k}`} ...${spot(point, k)} />`)}
            ${placed.map((point, k) => html`<${Spot} key=${k} ...${spot(point, k)} />`)}
            ${cursor && html`<path class="cursor" d=${`M${cursor[0]} 0V${h}M0 ${cursor[1]}H${w}`} />`}
          </svg>
        `
        }
      <//>
    </section>
    <section class="answer pointbar" aria-label="Points">
      <ol>
        ${names.map(
          (name, k) => html`
          <li key=${name} data-now=${k === placed.length ? "yes" : "no"} style=${{ "--c": classColor(k) }}>
            <i class="dot"></i> <bdi>${name}</bdi> <span class="quiet">${told(k)}</span>
          </li>
        `,
        )}
      </ol>
      <button disabled=${!placed.length} onClick=${() => setPlaced(placed.slice(0, -1))}>Remove last <kbd>u</kbd></button>
      <button class="primary" disabled=${!full && !ghosts.length} onClick=${save}>
        ${ghosts.length ? "Accept the suggestion" : "Save"} <kbd>Enter</kbd>
      </button>
    </section>
  `;
}

/** A mark of about the same size on every picture, from near and far; its name stands where there is room. */
function Spot({ at: [x, y], size: [w, h], number, name, ghost }) {
  const place = `translate(${x} ${y})`;
  const [side, anchor] = x > 0.75 * w ? [-1.6, "end"] : [1.6, "start"];
  return html`
    <g class=${ghost ? "spot ghost" : "spot"} transform=${place} style=${{ "--c": classColor(number) }}>
      <g class="still" transform=${`scale(${Math.max(w, h) / 60})`}>
        <circle r="1" /><path d="M-1.6 0H1.6M0-1.6V1.6" />
        <text x=${side} y=${y < 0.1 * h ? 2.4 : -1} text-anchor=${anchor}>${name}</text>
      </g>
    </g>
  `;
}
