// Pictures for tiles: a few at a time, so that labels always find a free connection to the server; given up where the
// tile shows another sample by then; and kept for a while for those who scroll back.
const AT_ONCE = 4; // of the six connections that a browser opens
const KEEP = 1500;

export function createLoader() {
  const kept = new Map(); // url -> image, the last used last
  const coming = new Map(); // url -> image

  function keep(url, image) {
    kept.delete(url);
    kept.set(url, image);
    if (kept.size > KEEP) kept.delete(kept.keys().next().value);
  }

  return {
    /** The picture, where it was loaded before and no other tile has it. */
    recall(url) {
      const image = kept.get(url);
      if (!image || image.isConnected) return null;
      keep(url, image);
      return image;
    },
    hasRoom: () => coming.size < AT_ONCE,
    /** Loads a picture; `done` gets it, or null where it cannot be shown. */
    load(url, done) {
      if (coming.has(url)) return;
      const image = new Image();
      image.alt = "";
      image.decoding = "async";
      image.draggable = false;
      coming.set(url, image);
      const end = (found) => {
        if (coming.get(url) !== image) return; // it was given up
        coming.delete(url);
        if (found) keep(url, found);
        done(found);
      };
      image.onload = () => end(image);
      image.onerror = () => end(null);
      image.src = url;
    },
    /** Ends a request whose tile shows something else by now. */
    giveUp(url) {
      const image = coming.get(url);
      if (!image) return;
      coming.delete(url);
      image.removeAttribute("src");
    },
    giveUpAll() {
      for (const url of [...coming.keys()]) this.giveUp(url);
    },
  };
}
