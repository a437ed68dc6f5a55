// Below a picture: closer, farther, the whole of it; whether the next picture is shown in the same way; smooth or not.
import { html } from "../html.js";
import { tool } from "../keys.js";
import { useCell } from "../store/cell.js";
import { chooseSmoothing, smoothing, zoom } from "../store/zoom.js";

export function ZoomBar({ crisp }) {
  const { k, percent, pinned } = useCell(zoom, (z) => ({ ...z, percent: Math.round(z.percent), place: null }));
  const choice = useCell(smoothing, (s) => s.choice);
  const smooth = choice ? choice === "yes" : !crisp;
  return html`
    <div class="zoom" role="toolbar" aria-label="Zoom">
      ${
        percent > 150 &&
        html`<button
          aria-pressed=${smooth ? "true" : "false"}
          onClick=${() => chooseSmoothing(smooth ? "no" : "yes")}
          title="Smooth the pixels of small pictures">Smooth</button>`
      }
      ${
        (k > 1 || pinned) &&
        html`<button
          aria-pressed=${pinned ? "true" : "false"}
          onClick=${() => zoom.set({ pinned: !pinned })}
          title="Show the next pictures in the same way">Pin</button>`
      }
      <span class="group">
        <button onClick=${() => tool.picture?.zoom(1 / 1.5)} aria-label="Zoom out" title="Zoom out (−)">−</button>
        <button
          class="percent"
          onClick=${() => tool.picture?.toggle()}
          aria-label=${`Zoom ${percent} %: ${k > 1 ? "show the whole picture" : "show its own pixels"}`}
          title="The whole picture, or its own pixels (z)">${percent} %</button>
        <button onClick=${() => tool.picture?.zoom(1.5)} aria-label="Zoom in" title="Zoom in (+)">+</button>
      </span>
    </div>
  `;
}
