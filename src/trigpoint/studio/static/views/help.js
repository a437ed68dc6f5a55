// All keys on one sheet.
import { html } from "../html.js";
import { hasPoints, isRegression, isTags, page } from "../store/page.js";
import { isViewer } from "../store/role.js";
import { rename } from "../store/sync.js";
import { Sheet } from "./sheet.js";

const COMMON = [
  ["u", "undo (repeat to go further back)"],
  ["s", "skip: not now"],
  ["k", "keep a label that looks wrong (in Check)"],
  ["f", "flag the sample, or take the flag away"],
  ["n", "a note on the sample"],
  ["i", "the guidelines"],
  ["?", "unsure: I cannot tell, do not ask me again"],
  ["← →", "through your history"],
  ["↑ ↓ Page", "scroll a long text"],
  ["/", "search"],
  ["m", "the map, large and small"],
  ["g", "the gallery: many samples at once"],
  ["Esc", "close, or back to the queue"],
  ["h", "this sheet"],
];
const ACCEPT = ["Enter", "accept the suggestion"];
const PICTURES = [
  ["+ −", "look closer, or from farther away; also the wheel, or two fingers"],
  ["z", "the whole picture, or its own pixels; also a double click"],
  ["Shift arrows", "move a picture that is larger than its place; also a drag"],
];
const CLASSES = [
  ACCEPT,
  ["1 … 9 0 a …", "label with the class that shows the key"],
  ["Space", "type to find a class, or to make one"],
];
const TAGS = [
  ["1 … 9 0 a …", "the tag that shows the key: on or off"],
  ["Enter", "save the tags that are on; they start as suggested"],
  ["Backspace", "all off: then Enter saves “none of them”"],
  ["Space", "type to find a tag, or to make one"],
];
const NUMBERS = [
  ACCEPT,
  ["digits", "type the value; Enter saves"],
  ["u s k f n i ? /", "work while the fields are empty"],
  ["Esc", "leaves the field; then every key works, and a digit begins a value"],
];
const POINTS = [
  ACCEPT,
  ["click", "place the next point; drag to move one"],
  ["arrows", "move the crosshair (Shift: one pixel); Enter places"],
  ["Backspace", "remove the last point"],
];
const MAP = [
  ["drag", "pan"],
  ["wheel + −", "zoom; the keys when it has the focus, or is large"],
  ["Shift drag", "lasso"],
  ["Home", "the whole map, when it has the focus"],
];

const GALLERY = [
  ["arrows", "move; with Shift tick all on the way"],
  ["Space", "tick one that is wrong"],
  ["class key", "label the ticked ones; Shift Space finds a class"],
  ["Shift Enter", "label the rest that you have seen"],
  ["Enter", "see one large; Esc comes back"],
  ["+ −", "larger or smaller"],
];

export function Help() {
  const p = page.get();
  const own = hasPoints(p) ? POINTS : isRegression(p) ? NUMBERS : isTags(p) ? TAGS : CLASSES;
  const someoneElse = () => {
    page.set({ sheet: null });
    rename();
  };
  return html`
    <${Sheet} title="Keys" className="help">
      <${Keys} rows=${[...own, ...COMMON]} />
      ${p.setup.pool.kind.startsWith("image") && html`<h3>On a picture</h3><${Keys} rows=${PICTURES} />`}
      <h3>On the map</h3>
      <${Keys} rows=${MAP} />
      <h3>In the gallery</h3>
      <${Keys} rows=${GALLERY} />
      <p class="quiet">
        A label counts as saved when it is on the disk. Until then it waits in this browser and is sent again
        automatically. ${p.annotator && html`You are <bdi>${p.annotator}</bdi>.`}
        ${!p.setup.person && !isViewer(p) && html` <button class="plain" onClick=${someoneElse}>Someone else?</button>`}
      </p>
    <//>
  `;
}

const Keys = ({ rows }) => html`
  <dl class="keys">
    ${rows.map(([key, what]) => html`<div key=${what}><dt><kbd>${key}</kbd></dt><dd>${what}</dd></div>`)}
  </dl>
`;
