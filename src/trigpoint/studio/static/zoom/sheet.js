// The picture of an item in its place: at first as many pixels as the desk shows, more when somebody looks closer. The
// picture that is there stays until the sharper one can be painted.
import { address, deskPixels, pixelsOf } from "../store/sides.js";
import { imageFor } from "../store/samples.js";

const CALM = 120; // milliseconds without a change before a sharper one is fetched

export function createSheet(place, item, { onLoad, onBroken }) {
  let url = address(item, deskPixels(item));
  let timer = null;
  let closed = false;

  function put(image) {
    image.alt = `Sample ${item.id}`;
    place.replaceChildren(image);
  }

  const first = imageFor(url);
  const loaded = () => closed || onLoad([first.naturalWidth, first.naturalHeight]);
  const broken = () => closed || onBroken();
  put(first);
  if (first.complete && first.naturalWidth) loaded();
  first.addEventListener("load", loaded);
  first.addEventListener("error", broken);

  async function sharpen(next) {
    const image = imageFor(next, false);
    try {
      await image.decode();
    } catch {
      return; // the one that is there stays
    }
    if (!closed && url === next) put(image);
  }

  return {
    /** So many pixels of the screen are filled by the longer edge. */
    want(pixels) {
      clearTimeout(timer);
      const next = address(item, pixels);
      if (pixelsOf(next) <= pixelsOf(url)) return;
      timer = setTimeout(() => {
        url = next;
        sharpen(next);
      }, CALM);
    },
    close() {
      closed = true;
      clearTimeout(timer);
      first.removeEventListener("load", loaded);
      first.removeEventListener("error", broken);
    },
  };
}
