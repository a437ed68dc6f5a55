// The map's data: places, predictions and landmarks, fetched again when their versions move and somebody looks.
import { bytesSoFar, get } from "../api.js";
import { createCell } from "../store/cell.js";
import { page } from "../store/page.js";

const PAUSE = 3000; // between two fetches of the same thing

export const atlas = createCell({
  wanted: false, // the map is on the screen
  coordinates: null, // Float32Array, x and y of each sample
  codes: null, // Int16Array, predicted class; -1: none
  uncertainty: null, // Uint8Array, 255: unknown
  values: null, // Float32Array: the first target, for real ones
  classes: [], // whose numbers the codes are: those of the page
  landmarks: null,
  labels: -1, // the version of the labels that the landmarks show
});
let sent = { codes: null, classes: [] }; // as the server sent them: it numbers the classes that it knew then

const parts = {
  map: { have: 0, next: 0, load: loadCoordinates },
  predictions: { have: 0, next: 0, load: loadPredictions },
  labels: { have: -1, next: 0, load: loadLandmarks },
};

export function followAtlas() {
  const look = () => {
    const { server } = page.get();
    if (server && atlas.get().wanted && !document.hidden)
      for (const name of Object.keys(parts)) renew(name, server.versions[name]);
  };
  const renumber = ({ classes }) => sent.codes && classes !== atlas.get().classes && number();
  const stops = [page.watch(renumber), page.watch(look), atlas.watch(look)];
  return () => stops.forEach((stop) => stop());
}

async function renew(name, version) {
  const part = parts[name];
  if (!version && name !== "labels") {
    part.have = 0; // the studio has started again and has none yet: what is shown stays until it has
    return;
  }
  if (part.busy || part.have === version || Date.now() < part.next) return;
  part.busy = true;
  part.next = Date.now() + PAUSE;
  try {
    if (await part.load()) part.have = version;
    if (name === "labels") atlas.set({ labels: version });
  } catch {
    // The next news of the server tries again.
  }
  part.busy = false;
}

/** Labels that change here are shown without the usual pause. */
export const hurryLabels = () => (parts.labels.next = 0);

async function loadCoordinates() {
  const found = await bytesSoFar("/api/map/coordinates");
  if (found) atlas.set({ coordinates: new Float32Array(found.buffer) });
  return found;
}

async function loadPredictions() {
  const found = await bytesSoFar("/api/map/predictions");
  if (!found) return false;
  const n = page.get().setup.pool.n_samples;
  const codes = new Int16Array(found.buffer, 0, n);
  const uncertainty = new Uint8Array(found.buffer, 2 * n, n);
  const values = found.buffer.byteLength >= 7 * n ? new Float32Array(found.buffer.slice(3 * n)) : null;
  sent = { codes, classes: JSON.parse(decodeURIComponent(found.headers.get("X-Classes") ?? "[]")) };
  atlas.set({ uncertainty, values });
  number();
  return true;
}

/** Codes as the page numbers its classes, so that a color means the same everywhere. */
function number() {
  const { classes } = page.get();
  const places = sent.classes.map((name) => classes.indexOf(name));
  const same = places.every((place, k) => place === k);
  const codes = same ? sent.codes : sent.codes.map((code) => (code < 0 ? -1 : (places[code] ?? -1)));
  atlas.set({ codes, classes });
}

async function loadLandmarks() {
  atlas.set({ landmarks: await get("/api/map/landmarks") });
  return true;
}

/** Real values as levels of the ramp: 0..254 from the smallest to the largest, 255 where there is none. */
export function levelsOf(values) {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  const step = 254 / (high - low || 1);
  return {
    low,
    high,
    levels: Uint8Array.from(values, (value) =>
      Number.isFinite(value) ? Math.round((value - low) * step) : 255,
    ),
  };
}
