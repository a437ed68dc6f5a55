// The map of the pool: its bar, its legend, what lies under the pointer, what was lassoed.
import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from "../html.js";
import { tool } from "../keys.js";
import { atlas, followAtlas, levelsOf } from "../map/atlas.js";
import { createChartTable } from "../map/chart_table.js";
import { inside } from "../map/lasso.js";
import { useCell } from "../store/cell.js";
import { current, isRegression, page } from "../store/page.js";
import { visit } from "../store/visits.js";
import { Legend } from "./legend.js";
import { Stage } from "./opening.js";
import { Selection } from "./selection.js";
import { Tip } from "./tip.js";

const PAN_KEYS = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };

export function MapPane() {
  const under = useRef();
  const over = useRef();
  const table = useRef(null);
  const [missing, setMissing] = useState(false);
  const [mode, setMode] = useState("label");
  const [lasso, setLasso] = useState(false);
  const [hover, setHover] = useState(null); // {sample, x, y}
  const [chosen, setChosen] = useState(null); // {key, samples} of the lasso; each loop has a key of its own
  const loops = useRef(0);
  const { wide, real, here, n } = useCell(page, (p) => ({
    wide: p.wide,
    n: p.classes.length,
    real: isRegression(p),
    here: current(p)?.sample ?? null,
  }));
  const data = useCell(atlas, (a) => a);

  useLayoutEffect(() => {
    const made = createChartTable(under.current, over.current, {
      onHover: (sample, x, y) => setHover(sample < 0 ? null : { sample, x, y }),
      onPick: (sample) => visit("map", [sample]),
      onLoop: async (loop) =>
        setChosen({ samples: await inside(loop, atlas.get().coordinates), key: (loops.current += 1) }),
    });
    if (!made) return setMissing(true);
    table.current = made;
    tool.map = (key) => {
      if (key !== "+" && key !== "=" && key !== "-") return false;
      made.zoom(key === "-" ? 1 / 1.5 : 1.5);
      return true;
    };
    const stop = followAtlas();
    const eye = new IntersectionObserver(([seen]) => atlas.set({ wanted: seen.isIntersecting }));
    eye.observe(over.current);
    return () => {
      eye.disconnect();
      stop();
      tool.map = null;
      made.close();
    };
  }, []);
  useEffect(() => data.coordinates && table.current?.setCoordinates(data.coordinates), [data.coordinates]);
  useEffect(() => {
    if (!data.codes || !table.current) return;
    const byValue = real && mode === "label" && data.values;
    table.current.setColors(
      data.codes,
      byValue ? levelsOf(data.values).levels : data.uncertainty,
      Boolean(byValue) || mode === "uncertainty",
    );
  }, [data.coordinates, data.codes, mode, real]);
  useEffect(
    () => table.current?.setMarks({ landmarks: data.landmarks, current: here }, n),
    [data.coordinates, data.landmarks, n, here],
  );
  useLayoutEffect(() => {
    if (table.current) table.current.hand.lasso = lasso;
  }, [lasso]);

  const drop = () => {
    setChosen(null);
    setLasso(false);
    table.current.setMarks({ loop: null });
  };
  useLayoutEffect(() => {
    tool.escape = chosen || lasso ? drop : null;
    return () => (tool.escape = null);
  }, [chosen, lasso]);
  const onKey = (event) => {
    if (event.key in PAN_KEYS) table.current.push(...PAN_KEYS[event.key]);
    else if (event.key === "Home") table.current.whole();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  if (missing)
    return html`
      <div class="map">
        <p class="center quiet">The map needs WebGL 2, which this browser does not offer. Everything else works.</p>
      </div>
    `;
  return html`
    <div class="map" data-lasso=${lasso ? "yes" : "no"}>
      <canvas ref=${under} aria-hidden="true"></canvas>
      <canvas
        ref=${over}
        class="marks"
        tabindex="0"
        role="img"
        aria-label="Map of the pool; its counts are listed below"
        onKeyDown=${onKey}
      ></canvas>
      ${!data.coordinates && html`<div class="center"><${Coming} /></div>`}
      <${Bar} ...${{ table, mode, setMode, real, lasso, setLasso, wide }} />
      <${Legend} data=${data} mode=${mode} real=${real} />
      ${hover && !chosen && html`<${Tip} ...${hover} data=${data} box=${over.current} />`}
    </div>
    ${chosen && html`<${Selection} key=${chosen.key} samples=${chosen.samples} data=${data} onClose=${drop} />`}
  `;
}

/** What is computed before there is a map. */
function Coming() {
  const stage = useCell(page, (p) => p.server?.stage);
  const since = useMemo(() => Date.now(), []);
  return html`<${Stage} stage=${stage} words="drawing the map" since=${since} />`;
}

function Bar({ table, mode, setMode, real, lasso, setLasso, wide }) {
  const modes = [
    ["label", real ? "Value" : "Label"],
    ["uncertainty", "Uncertainty"],
  ];
  const swap = () => page.set({ wide: !wide, tab: wide ? "label" : "map" });
  const choice = ([name, words]) => html`
    <button key=${name} aria-pressed=${mode === name ? "true" : "false"} onClick=${() => setMode(name)}>${words}</button>
  `;
  return html`
    <div class="map-bar" role="toolbar" aria-label="Map">
      <span class="group">${modes.map(choice)}</span>
      <button aria-pressed=${lasso ? "true" : "false"} onClick=${() => setLasso(!lasso)} title="Or drag with Shift">Lasso</button>
      <span class="gap"></span>
      <span class="group">
        <button onClick=${() => table.current.zoom(1.6)} aria-label="Closer" title="Closer (+)">+</button>
        <button onClick=${() => table.current.zoom(1 / 1.6)} aria-label="Farther" title="Farther (−)">−</button>
        <button onClick=${() => table.current.whole()} aria-label="The whole map" title="The whole map">⤢</button>
      </span>
      <button class="wide-only" onClick=${swap} aria-pressed=${wide ? "true" : "false"} title="Large or small (m)">
        ${wide ? "Back" : "Large"} <kbd>m</kbd>
      </button>
    </div>
  `;
}
