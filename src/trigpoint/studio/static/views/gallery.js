// The gallery: many samples at once. Those that are wrong get a tick, the rest is accepted together.
import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from "../html.js";
import { fields, focusTiles } from "../gallery/focus.js";
import { createGrid } from "../gallery/grid.js";
import { SIZES } from "../gallery/layout.js";
import { tool } from "../keys.js";
import { atlas, followAtlas } from "../map/atlas.js";
import { classColor } from "../palette.js";
import { undo } from "../store/acts.js";
import { useCell } from "../store/cell.js";
import {
  accept,
  acceptable,
  followName,
  gallery,
  go,
  labelTicked,
  noteSeen,
  openOne,
  setSize,
  tick,
  title,
  untick,
} from "../store/gallery.js";
import { classOf } from "../store/keymap.js";
import { page } from "../store/page.js";
import { isViewer } from "../store/role.js";
import { fetchSamples, recall, tilePicture } from "../store/samples.js";
import { OPEN, useStanding } from "../store/standing.js";
import { counted, many } from "../words.js";
import { glimpse } from "./card.js";
import { Filter } from "./filter.js";
import { GalleryChoice } from "./gallery_choice.js";

const STEP = 1.25; // of sizes, by keys
const AS_PREDICTED = ""; // no class is called so
const CHIPS = 12; // classes with a button; others are found by typing

export function Gallery() {
  const standing = useStanding();
  const grid = useRef(null);
  const sheet = useCell(page, (p) => p.sheet);
  useEffect(followAtlas, []);
  useEffect(followName, []);
  return html`
    <section class="gallery" aria-label="Gallery" data-testid="gallery">
      <${GalleryChoice} />
      <${Tiles} standing=${standing} grid=${grid} />
      <${Deeds} standing=${standing} grid=${grid} />
      ${sheet === "tick_class" && html`<${Filter} title="Which class are the ticked ones?" onPick=${labelTicked} />`}
    </section>
  `;
}

/** How a tile looks: by its label, or else by its prediction. */
function faces(standing, { codes }, classes) {
  const words = { [-2]: "labeled", [-3]: "in dispute", [-4]: "unsure" };
  return (sample) => {
    const code = standing[sample];
    if (code !== OPEN)
      return { color: classColor(code), mark: "label", words: code < 0 ? words[code] : classes[code] };
    const guess = codes?.[sample] ?? -1;
    return { color: classColor(guess), mark: guess < 0 ? "none" : "guess", words: classes[guess] ?? "" };
  };
}

const SAID = { label: "labeled", guess: "predicted", none: "no label" };

function Tiles({ standing, grid }) {
  const box = useRef();
  const face = useRef(null);
  const { list, size, ticked, at } = useCell(gallery, ({ list, size, ticked, at }) => ({ list, size, ticked, at }));
  const { shown, error } = useCell(gallery, ({ shown, error }) => ({ shown, error }));
  const { classes, kind } = useCell(page, (p) => ({ classes: p.classes, kind: p.setup.pool.kind }));
  const data = useCell(atlas, ({ codes }) => ({ codes }));
  face.current = faces(standing, data, classes);

  useLayoutEffect(() => {
    const made = createGrid(box.current, {
      isPicture: kind.startsWith("image"),
      address: tilePicture,
      fetchTexts: async (samples) =>
        (await fetchSamples(samples)).map((item) => ({ sample: item.sample, words: glimpse(item, 400) })),
      face: (sample) => face.current(sample),
      title: (sample) => {
        const { mark, words } = face.current(sample);
        return `${recall(sample)?.id ?? `Sample ${sample}`}, ${SAID[mark]} ${words}`;
      },
      isTicked: (sample) => gallery.get().ticked.has(sample),
      onSeen: noteSeen,
      onPress: (place, event) => tick(place, event.shiftKey),
      onOpen: (place) => openOne(place, made.top()),
    });
    grid.current = made;
    const { list, size, top } = gallery.get();
    made.show(list, size);
    made.scrollTo(top);
    focusTiles();
    return () => {
      gallery.set({ top: made.top() });
      made.close();
    };
  }, []);
  useLayoutEffect(() => grid.current.show(list, size), [list, size]);
  useLayoutEffect(() => grid.current.repaint(), [ticked, standing, data.codes, classes]);
  const first = useRef(true);
  useLayoutEffect(() => {
    if (!first.current) grid.current.go(at); // a gallery that is opened again stays where it was
    else grid.current.point(at);
    first.current = false;
  }, [at, list]);
  const none = error ?? (shown && !list.length ? "There are no such samples." : null);
  return html`
    <div class="wall">
      <div
        ref=${box}
        class="tile-grid"
        role="grid"
        tabindex="0"
        aria-label=${`${title()}: ${many(list.length, "sample")}`}
        aria-multiselectable="true"
        aria-busy=${shown ? "false" : "true"}
        data-kind=${kind.startsWith("image") ? "images" : "texts"}
      ></div>
      ${none && html`<p class="quiet center" role="status">${none}</p>`}
    </div>
  `;
}

/** What can be done with the samples: other classes for the ticked ones, one class for the rest. */
function Deeds({ standing, grid }) {
  const g = useCell(gallery, ({ list, shown, ticked, seen, of, name, at }) => ({
    list,
    shown,
    ticked,
    seen,
    n: seen.size,
    of,
    name,
    at,
  }));
  const { classes, keys, labels } = useCell(page, (p) => ({
    classes: p.classes,
    keys: p.keys,
    labels: p.setup.task === "classification" && !isViewer(p),
  }));
  const codes = useCell(atlas, (a) => a.codes);
  const [chosen, setChosen] = useState(AS_PREDICTED);
  useEffect(() => setChosen(AS_PREDICTED), [g.list]);
  const value = g.of === "predicted" ? g.name : chosen;
  const gone = value !== AS_PREDICTED && !classes.includes(value); // it is called otherwise by now
  const labelOf = (sample) => (value === AS_PREDICTED ? classes[codes?.[sample] ?? -1] : gone ? null : value);
  // Until the list is here, the tiles are those of another one.
  const isOpen = (sample) => g.shown && standing[sample] === OPEN && labelOf(sample) != null;
  const near = useMemo(() => acceptable(g, isOpen), [g.list, g.shown, g.ticked, g.n, standing, value, gone, codes]);
  const all = useMemo(() => acceptable(g, isOpen, true), [g.list, g.shown, g.ticked, standing, value, gone, codes]);
  const [asked, setAsked] = useState(false);
  useEffect(() => setAsked(false), [g.list, g.shown, value]);

  const acceptSeen = () => {
    focusTiles();
    if (near.length) accept(near, labelOf);
  };
  const acceptAll = () => {
    focusTiles();
    setAsked(false);
    accept(all, labelOf);
  };
  useKeys({ grid, keys, acceptSeen, labels });
  if (!labels) return html`<footer class="deeds"><p class="quiet">${WORDS.look}</p></footer>`;
  const pick = html`
    <select aria-label="Class for the rest" value=${value} onChange=${(event) => setChosen(event.target.value)}>
      <option value=${AS_PREDICTED}>as predicted</option>
      ${gone && html`<option value=${value}>as ${value}</option>`}
      ${classes.map((one) => html`<option key=${one} value=${one}>as ${one}</option>`)}
    </select>
  `;
  return html`
    <footer class="deeds" ...${fields}>
      <div class="row ticks" role="group" aria-label="The ticked ones">
        <span><b>${counted(g.ticked.size)}</b> ticked</span>
        ${
          g.ticked.size > 0
            ? html`
              <span class="quiet">are</span>
              ${classes.slice(0, CHIPS).map((name, k) => html`<${Chip} key=${name} name=${name} number=${k} hotkey=${keys.get(name)} />`)}
              <button class="small" onClick=${() => page.set({ sheet: "tick_class" })}>Find or new <kbd>Shift Space</kbd></button>
              <button class="small" onClick=${untick}>No ticks</button>
            `
            : html`<span class="quiet hint">${g.of === "label" ? WORDS.wrong : WORDS.hint}</span>`
        }
      </div>
      ${
        g.of !== "label" &&
        g.of !== "group" &&
        classes.length > 0 &&
        html`
        <div class="row rest" role="group" aria-label="The rest">
          ${g.of === "predicted" ? html`<span class="quiet">The rest: <b><bdi>${g.name}</bdi></b></span>` : pick}
          <button class="primary" disabled=${!near.length} onClick=${acceptSeen}>
            ${g.of === "predicted" ? "Accept" : "Label"} the ${counted(near.length)} seen <kbd>Shift Enter</kbd>
          </button>
          ${
            asked
              ? html`
                <button class="primary" onClick=${acceptAll}>
                  Yes, all ${counted(all.length)}, also ${counted(all.length - near.length)} unseen
                </button>
                <button onClick=${() => setAsked(false)}>No</button>
              `
              : all.length > near.length &&
                html`<button onClick=${() => setAsked(true)}>All ${counted(all.length)}…</button>`
          }
          <button onClick=${undo}>Undo <kbd>u</kbd></button>
          ${gone && html`<span class="quiet">There is no class <bdi>${value}</bdi> any more: choose another.</span>`}
          ${value === AS_PREDICTED && !codes && html`<span class="quiet">Nothing is predicted yet: choose a class.</span>`}
        </div>
      `
      }
    </footer>
  `;
}

const WORDS = {
  look: "Click a sample twice, or press Enter, to see it large.",
  wrong: "Tick those that are wrong, then press their class.",
  hint: "Tick the wrong ones; the rest is labeled at once.",
};

const Chip = ({ name, number, hotkey }) => html`
  <button class="chip" style=${{ "--c": classColor(number) }} onClick=${() => labelTicked(name)}>
    ${hotkey && html`<kbd>${hotkey}</kbd>`} <bdi>${name}</bdi>
  </button>
`;

function useKeys(now) {
  const latest = useRef(now);
  latest.current = now;
  useLayoutEffect(() => {
    tool.gallery = (event) => onKey(event, latest.current);
    return () => (tool.gallery = null);
  }, []);
}

function onKey(event, { grid, keys, acceptSeen, labels }) {
  const { key, shiftKey } = event;
  const { at, list, size } = gallery.get();
  const made = grid.current;
  const across = made.columns();
  const screen = across * made.rowsInSight();
  const steps = {
    ArrowLeft: -1,
    ArrowRight: 1,
    ArrowUp: at >= across ? -across : 0,
    ArrowDown: at + across < list.length ? across : 0,
    PageUp: -screen,
    PageDown: screen,
    Home: -at,
    End: list.length - 1 - at,
  };
  if (key in steps) go(at + steps[key], shiftKey);
  else if (key === "Enter" && shiftKey) event.repeat || acceptSeen();
  else if (key === "Enter") openOne(at, made.top());
  else if (key === " " && shiftKey) labels && page.set({ sheet: "tick_class" });
  else if (key === " ") tick(at);
  else if (key === "+" || key === "=") setSize(Math.min(SIZES.most, Math.round(size * STEP)));
  else if (key === "-") setSize(Math.max(SIZES.least, Math.round(size / STEP)));
  else return !event.repeat && labels && byKey(event, keys);
  return true;
}

function byKey(event, keys) {
  const name = classOf(event, keys);
  if (name != null) labelTicked(name);
  return name != null;
}
