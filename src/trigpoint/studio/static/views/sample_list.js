// A list of samples that the server keeps, fetched when shown and again when `version` moves.
import { get } from "../api.js";
import { useEffect, useState } from "../html.js";
import { fetchSamples } from "../store/samples.js";

export function useSampleList(route, query, version) {
  const [gallery, setGallery] = useState({ items: null, error: null });
  useEffect(() => {
    let stale = false;
    get(route, query)
      .then(({ samples }) => fetchSamples(samples.slice(0, 60)))
      .then((items) => stale || setGallery({ items, error: null }))
      .catch((error) => stale || setGallery((old) => ({ ...old, error: error.message })));
    return () => (stale = true);
  }, [route, version]);
  return gallery;
}
