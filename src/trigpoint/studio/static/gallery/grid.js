// A grid of any number of tiles, of which only those in sight exist. Rows that leave at one end come back at the
// other. A tile that has just come is a quiet field in the color of its class; its picture or text is fetched when it
// has stayed for a moment. Where more come in a frame than can be painted in one, their rows are strips until they
// rest. The grid itself has the focus, and says which tile is meant.
import { layout } from "./layout.js";
import { createLoader } from "./loader.js";

const BEAT = 100; // milliseconds between two looks at what is in sight
const STAY = 100; // that a tile stays in sight before anything is fetched for it
const MANY = 250; // new tiles in one frame, beyond which rows are strips
const CALM = 120; // without many new rows, before strips become tiles again; more where frames take long
const LONG_FRAME = 350; // milliseconds that a frame may take
const OVER = 1; // rows beyond each end of what is in sight
const TEXTS = 60; // fetched at once
const AGAIN = 5000; // before a picture that could not be loaded is tried again
const NAMED = 90; // pixels from which on a tile has room for a name

/**
 * @param box  the element that scrolls, with the role of a grid
 * @param hear {
 *   isPicture: whether samples are pictures,
 *   address(sample, side): of the picture,
 *   fetchTexts(samples): promise of [{sample, words}],
 *   face(sample): {color, mark, words} of a tile: a CSS color, "label" | "guess" | "none", and what it is called,
 *   title(sample): what it is called for those who listen,
 *   isTicked(sample),
 *   onSeen(samples): they were on the screen with their contents,
 *   onPress(place, event), onOpen(place)}
 */
export function createGrid(box, hear) {
  const field = document.createElement("div");
  field.setAttribute("role", "rowgroup");
  box.replaceChildren(field);
  const loader = createLoader();
  let list = new Int32Array(0);
  let size = 0;
  let lay = layout(0, 1, 1, hear.isPicture);
  let rows = []; // {element, row, quiet, cells}; row r is shown by rows[r % rows.length]
  let at = 0;
  let frame = 0;
  let calm = null; // a timer
  let hushed = 0; // when strips came last
  let asking = false; // for texts

  const rowsFor = (height) => Math.ceil(height / lay.height) + 1 + 2 * OVER;

  function measure() {
    const first = Math.floor(box.scrollTop / lay.height) * lay.columns;
    lay = layout(list.length, box.clientWidth, size, hear.isPicture);
    field.style.height = `${lay.total}px`;
    box.setAttribute("aria-rowcount", lay.rows);
    box.setAttribute("aria-colcount", lay.columns);
    box.dataset.small = lay.width < NAMED ? "yes" : "no";
    const need = Math.min(lay.rows, rowsFor(box.clientHeight));
    for (const { cells } of rows) cells.forEach(undress);
    rows = Array.from({ length: need }, (_, k) => makeRow(k, lay.columns));
    field.replaceChildren(...rows.map((row) => row.element));
    field.style.setProperty("--w", `${lay.width}px`);
    field.style.setProperty("--h", `${lay.height}px`);
    box.scrollTop = Math.floor(first / lay.columns) * lay.height;
    draw(true);
  }

  function makeRow(k, columns) {
    const element = document.createElement("div");
    element.className = "tiles";
    element.hidden = true; // until it has a place
    element.setAttribute("role", "row");
    const cells = Array.from({ length: columns }, (_, column) => makeCell(k, column));
    element.append(...cells.map((cell) => cell.element));
    return { element, row: -1, quiet: false, cells };
  }

  function makeCell(k, column) {
    const element = document.createElement("div");
    element.id = `tile-${k}-${column}`;
    element.className = "tile";
    element.setAttribute("role", "gridcell");
    element.setAttribute("aria-colindex", column + 1);
    const content = document.createElement("span");
    content.className = "inside";
    const name = document.createElement("span");
    name.className = "name";
    name.setAttribute("aria-hidden", "true");
    element.append(content, name);
    const cell = { element, content, name, place: -1, sample: -1, since: 0, url: null, full: false, failed: 0, looks: 0 };
    element.tile = cell;
    return cell;
  }

  const sight = () => [
    Math.max(0, Math.floor(box.scrollTop / lay.height)),
    Math.min(lay.rows - 1, Math.floor((box.scrollTop + box.clientHeight - 1) / lay.height)),
  ];

  /** Brings the rows in sight to their places; `whole`: with all of their tiles, however many are new. */
  function draw(whole) {
    frame = 0;
    const [first, last] = sight();
    const fresh = [];
    for (let r = Math.max(0, first - OVER); r <= Math.min(lay.rows - 1, last + OVER); r++) {
      const row = rows[r % rows.length];
      if (row.row !== r) fresh.push(place(row, r));
    }
    const quiet = whole !== true && fresh.length * lay.columns > MANY;
    fresh.forEach(quiet ? hush : dress);
    if (quiet) rest();
    point();
  }

  /** Makes tiles of strips when no more come. */
  function rest() {
    const now = performance.now();
    loader.giveUpAll();
    clearTimeout(calm);
    const gap = now - hushed; // of two frames in which rows fly past; a longer one is a rest
    calm = setTimeout(settle, gap < LONG_FRAME ? Math.max(CALM, 3 * gap) : CALM);
    hushed = now;
  }

  function settle() {
    rows.filter((row) => row.quiet).forEach(dress);
    point();
  }

  function place(row, r) {
    row.row = r;
    row.element.hidden = false;
    row.element.style.transform = `translateY(${r * lay.height}px)`;
    row.element.setAttribute("aria-rowindex", r + 1);
    return row;
  }

  /** A row as one strip: cheap, while rows fly past. */
  function hush(row) {
    row.quiet = true;
    row.element.dataset.quiet = "yes";
  }

  function dress(row) {
    const r = row.row;
    const now = performance.now();
    if (row.quiet) {
      row.quiet = false;
      row.element.dataset.quiet = "no";
    }
    row.cells.forEach((cell, column) => {
      undress(cell);
      cell.place = r * lay.columns + column;
      cell.sample = cell.place < list.length ? list[cell.place] : -1;
      cell.since = now;
      cell.element.hidden = cell.sample < 0;
      if (cell.sample < 0) return;
      paint(cell);
      if (!hear.isPicture) return;
      cell.url = hear.address(cell.sample, lay.width);
      const image = loader.recall(cell.url);
      if (image) fill(cell, image);
    });
  }

  function undress(cell) {
    if (cell.url) loader.giveUp(cell.url);
    if (cell.content.firstChild) cell.content.replaceChildren();
    Object.assign(cell, { full: false, failed: 0, url: null, looks: 0, place: -1, sample: -1 });
  }

  /** Color, name and mark; not the contents. */
  function paint(cell) {
    const { color, mark, words } = hear.face(cell.sample);
    const ticked = hear.isTicked(cell.sample);
    const look = `${color} ${mark} ${ticked} ${words}`;
    if (cell.look === look) return;
    cell.look = look;
    const { element } = cell;
    element.style.setProperty("--c", color);
    element.dataset.mark = mark;
    if (lay.width >= NAMED) cell.name.textContent = words;
    element.setAttribute("aria-selected", ticked ? "true" : "false");
  }

  function say(cell) {
    const title = hear.title(cell.sample);
    if (title === cell.said) return;
    cell.said = title;
    cell.element.setAttribute("aria-label", title);
  }

  function fill(cell, content) {
    cell.content.replaceChildren(content);
    cell.content.dataset.pixels = content.naturalWidth < 64 ? "yes" : "no";
    cell.full = true;
  }

  /** Words instead of a picture, which nobody has seen then. */
  function fail(cell) {
    fill(cell, textNode(`#${cell.sample} cannot be shown`));
    cell.failed = performance.now();
  }

  /** The tile that keys are about. */
  function point() {
    const row = rows[Math.floor(at / lay.columns) % (rows.length || 1)];
    const cell = row?.cells[at % lay.columns];
    const here = cell?.place === at && !row.quiet ? cell.element : null;
    const before = field.querySelector("[data-here]");
    if (before !== here) before?.removeAttribute("data-here");
    here?.setAttribute("data-here", "yes");
    if (here) say(cell);
    if (here) box.setAttribute("aria-activedescendant", here.id);
    else box.removeAttribute("aria-activedescendant");
  }

  function* inSight() {
    const [first, last] = sight();
    for (let r = first; r <= last; r++) {
      const row = rows[r % rows.length];
      if (!row || row.quiet || row.row !== r) continue;
      for (const cell of row.cells) if (cell.sample >= 0) yield cell;
    }
  }

  /** Fetches what is missing in sight, and tells what has been seen. */
  function look() {
    if (document.hidden || !box.clientHeight) return;
    const now = performance.now();
    const seen = [];
    const missing = [];
    for (const cell of inSight()) {
      if (now - cell.since >= STAY) say(cell);
      if (cell.failed && now - cell.failed >= AGAIN) Object.assign(cell, { full: false, failed: 0 });
      if (cell.failed) continue;
      if (cell.full) {
        if ((cell.looks += 1) === 2) seen.push(cell.sample);
      } else if (now - cell.since >= STAY) missing.push(cell);
    }
    if (seen.length) hear.onSeen(seen);
    if (hear.isPicture) fetchPictures(missing);
    else fetchTexts(missing);
  }

  function fetchPictures(missing) {
    for (const cell of missing) {
      if (!loader.hasRoom()) return;
      const { url } = cell;
      if (!url) continue;
      loader.load(url, (image) => {
        if (cell.url === url && image) fill(cell, image);
        else if (cell.url === url) fail(cell);
        fetchPictures([...inSight()].filter((one) => !one.full && performance.now() - one.since >= STAY));
      });
    }
  }

  async function fetchTexts(missing) {
    if (asking || !missing.length) return;
    asking = true;
    try {
      const found = await hear.fetchTexts(missing.slice(0, TEXTS).map((cell) => cell.sample));
      const words = new Map(found.map((one) => [one.sample, one.words]));
      for (const cell of inSight())
        if (!cell.full && words.has(cell.sample)) fill(cell, textNode(words.get(cell.sample)));
    } catch {
      // The next look asks again.
    }
    asking = false;
  }

  const onScroll = () => (frame ||= requestAnimationFrame(draw));
  const tileOf = (event) => event.target.closest?.(".tile")?.tile;
  const press = pressing((cell, event) => hear.onPress(cell.place, event), (cell) => hear.onOpen(cell.place));
  const onClick = (event) => tileOf(event) && press.click(tileOf(event), event);
  const onDouble = (event) => tileOf(event) && hear.onOpen(tileOf(event).place);
  const onDown = (event) => press.down(tileOf(event), event);
  const onMenu = (event) => press.menu(event);
  const still = (event) => event.preventDefault(); // no text is marked, and the grid keeps the focus
  const onMouse = (event) => {
    still(event);
    box.focus({ preventScroll: true });
  };
  const events = {
    scroll: onScroll,
    click: onClick,
    dblclick: onDouble,
    pointerdown: onDown,
    pointermove: press.move,
    pointerup: press.end,
    pointercancel: press.end,
    contextmenu: onMenu,
  };
  for (const [name, run] of Object.entries(events)) box.addEventListener(name, run, { passive: name === "scroll" });
  field.addEventListener("mousedown", onMouse);
  const resize = () => {
    const fits = rowsFor(box.clientHeight) <= rows.length || rows.length >= lay.rows;
    if (box.clientWidth === lay.room && fits) draw();
    else if (box.clientWidth) measure();
  };
  const observer = new ResizeObserver(resize);
  observer.observe(box);
  const beat = setInterval(look, BEAT);

  return {
    show(samples, tileSize) {
      const same = samples === list;
      if (same && tileSize === size) return;
      list = samples;
      size = tileSize;
      if (!same) box.scrollTop = 0;
      if (box.clientWidth) measure();
    },
    /** Marks and colors may have changed. */
    repaint() {
      for (const { cells } of rows) for (const cell of cells) if (cell.sample >= 0) paint(cell);
      point();
    },
    /** The tile that keys are about. */
    point(place) {
      at = place;
      point();
    },
    /** The same, brought into sight. */
    go(place) {
      at = place;
      const top = Math.floor(place / lay.columns) * lay.height;
      if (top < box.scrollTop) box.scrollTop = top;
      else if (top + lay.height > box.scrollTop + box.clientHeight)
        box.scrollTop = top + lay.height - box.clientHeight;
      draw(true);
    },
    columns: () => lay.columns,
    rowsInSight: () => Math.max(1, Math.floor(box.clientHeight / lay.height)),
    scrollTo(top) {
      box.scrollTop = top;
      draw(true);
    },
    top: () => box.scrollTop,
    close() {
      clearInterval(beat);
      clearTimeout(calm);
      cancelAnimationFrame(frame);
      observer.disconnect();
      press.end();
      loader.giveUpAll();
      for (const [name, run] of Object.entries(events)) box.removeEventListener(name, run);
    },
  };
}

const LONG = 500; // milliseconds of a long press
const STILL = 8; // pixels that a finger may move in it

/** A tap or a click presses; a finger that stays opens, and then does not press. */
function pressing(onPress, onOpen) {
  let timer = null;
  let from = null;
  let opened = false;
  const end = () => clearTimeout(timer);
  return {
    down(cell, event) {
      end();
      opened = false;
      if (!cell || event.pointerType === "mouse") return;
      from = [event.clientX, event.clientY];
      timer = setTimeout(() => {
        opened = true;
        onOpen(cell);
      }, LONG);
    },
    move(event) {
      if (from && Math.hypot(event.clientX - from[0], event.clientY - from[1]) > STILL) end();
    },
    click(cell, event) {
      if (!opened) onPress(cell, event);
    },
    menu(event) {
      if (event.pointerType && event.pointerType !== "mouse") event.preventDefault();
    },
    end,
  };
}

function textNode(words) {
  const node = document.createElement("span");
  node.className = "words";
  node.dir = "auto";
  node.textContent = words;
  return node;
}
