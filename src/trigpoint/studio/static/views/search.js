// Find samples by id or by what they hold.
import { get } from "../api.js";
import { html, useEffect, useLayoutEffect, useRef, useState } from "../html.js";
import { highlight } from "../store/highlight.js";
import { fetchSamples } from "../store/samples.js";
import { visit } from "../store/visits.js";
import { many } from "../words.js";
import { Cards } from "./card.js";
import { Sheet } from "./sheet.js";

export function Search() {
  const [query, setQuery] = useState("");
  const [found, setFound] = useState({ items: [], total: null, error: null });
  const field = useRef();
  useLayoutEffect(() => field.current.focus(), []);
  useEffect(() => {
    let stale = false;
    const timer = setTimeout(() => look(query.trim()).then((result) => stale || setFound(result)), 120);
    return () => {
      stale = true;
      clearTimeout(timer);
    };
  }, [query]);
  const open = (k) => {
    highlight.set({ searched: query.trim() });
    visit(
      "search",
      found.items.slice(k).map((item) => item.sample),
    );
  };
  const onKey = (event) => {
    if (event.key === "Enter" && !event.isComposing && found.items.length) open(0);
  };
  const told = found.total == null ? "Enter opens the first one." : `${many(found.total, "sample")} found`;
  return html`
    <${Sheet} title="Search" className="search">
      <input
        ref=${field}
        type="search"
        placeholder="An id, or words"
        aria-label="Search samples"
        autocomplete="off"
        value=${query}
        onInput=${(event) => setQuery(event.target.value)}
        onKeyDown=${onKey}
      />
      <p class="quiet" role="status">${found.error ?? told}</p>
      <${Cards} items=${found.items} tell=${(item) => ({ value: item.label, note: item.id })} onOpen=${open} />
    <//>
  `;
}

async function look(q) {
  if (!q) return { items: [], total: null, error: null };
  try {
    const { samples, total } = await get("/api/search", { q, limit: 48 });
    return { items: await fetchSamples(samples), total, error: null };
  } catch (error) {
    return { items: [], total: null, error: error.message };
  }
}
