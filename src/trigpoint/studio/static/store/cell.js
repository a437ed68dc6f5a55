// One value that views watch: `set` merges a change into it, views that select what changed draw again.
import { useLayoutEffect, useRef, useState } from "../html.js";

export function createCell(initial) {
  let value = initial;
  const watchers = new Set();
  return {
    get: () => value,
    set(change) {
      value = { ...value, ...change };
      for (const watch of watchers) watch(value);
    },
    /** Calls `watch` at each change; returns how to stop. */
    watch(watch) {
      watchers.add(watch);
      return () => watchers.delete(watch);
    },
  };
}

function same(a, b) {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || !a || !b) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.is(a[key], b[key]));
}

/** What `select` takes out of the cell; the view is drawn again when it differs (one level deep). */
export function useCell(cell, select) {
  const [, draw] = useState(0);
  const selected = select(cell.get());
  const last = useRef({});
  last.current = { selected, select };
  useLayoutEffect(() => {
    const check = (value) => {
      if (!same(last.current.select(value), last.current.selected)) draw((k) => k + 1);
    };
    check(cell.get()); // it may have changed between drawing and now
    return cell.watch(check);
  }, [cell]);
  return selected;
}
