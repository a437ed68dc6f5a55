// Actions on their way to the server. Each one lies in memory and in the browser's storage until the server has
// answered for it, goes out in order, and is sent again after any failure; its client id makes a repeat harmless.
// Each parcel has a key of its own in the storage, so that two tabs never overwrite each other.
import { post } from "../api.js";

const LIMIT = 500; // actions in one request
const HEAVY = 4000; // samples of actions that label many at once, in one request
const PAUSES = [1, 2, 4, 8, 15]; // seconds before the next try

/**
 * @param {string} space  prefix of the keys in the storage
 * @param {(annotator: string) => {held: number[], want: number}} wish  what to ask for along the way
 * @param {() => string | null} asker  who wants items when there is nothing to send
 * @param {string} edition  of the pool: numbers of samples mean others in another one
 * @param {() => void} onChanged  the server has another edition by now
 * @param {(answer: object, annotator: string) => void} onAnswer
 * @param {(status: object) => void} onStatus  {unsent, sending, trouble: {message, retryAt} | null, volatile}
 */
export function createOutbox({ space, edition, wish, asker, onAnswer, onChanged, onStatus }) {
  let parcels = []; // {key, annotator, actions}
  let sending = false;
  let failures = 0;
  let trouble = null;
  let timer = null;
  let volatile = false; // the browser's storage is full or closed
  let behind = false; // the pool is another one, and the actions lie nowhere but here: they go out by their ids
  let batchLimit = LIMIT;
  const barred = new Set(); // names that this link may not use: what they did waits for their own

  const mayGo = (parcel) => !barred.has(parcel.annotator);
  const unsent = () => parcels.reduce((sum, parcel) => sum + parcel.actions.length, 0);
  const tell = () => onStatus({ unsent: unsent(), sending, trouble, volatile });

  function keep(parcel) {
    try {
      localStorage.setItem(parcel.key, JSON.stringify(parcel));
    } catch {
      volatile = true;
    }
  }

  function forget(key) {
    try {
      localStorage.removeItem(key);
    } catch {
      volatile = true;
    }
  }

  function add(annotator, actions) {
    const unnamed = actions.filter((action) => !isNamed(action)); // apart: only the others outlive a change of the pool
    pack(annotator, actions.filter(isNamed));
    pack(annotator, unnamed);
    tell();
    flush();
  }

  function pack(annotator, actions) {
    for (let from = 0; from < actions.length; from += LIMIT) {
      const part = actions.slice(from, from + LIMIT);
      const parcel = { key: `${space}${stamp()}`, annotator, actions: part, edition };
      parcels.push(parcel);
      keep(parcel);
    }
  }

  /** The first actions of one annotator that fit into one request. */
  function batch(annotator) {
    const actions = [];
    for (const parcel of parcels.filter((one) => one.annotator === annotator)) {
      if (actions.length + parcel.actions.length > LIMIT) break;
      actions.push(...parcel.actions);
    }
    return light(actions.filter((action) => !behind || isNamed(action)).slice(0, batchLimit));
  }

  function settle(clients) {
    const left = [];
    for (const parcel of parcels) {
      const actions = parcel.actions.filter((action) => !clients.has(action.client));
      if (actions.length === 0) forget(parcel.key);
      else if (actions.length < parcel.actions.length) {
        const rest = { ...parcel, actions };
        keep(rest);
        left.push(rest);
      } else left.push(parcel);
    }
    parcels = left;
  }

  /** Sends what waits; with nothing to send, only asks for items. */
  async function flush() {
    const annotator = parcels.find(mayGo)?.annotator ?? asker();
    if (sending || trouble || !annotator) return;
    const actions = batch(annotator);
    const asked = behind ? { held: [], want: 0 } : { edition, ...wish(annotator) };
    sending = true;
    clearTimeout(timer);
    tell();
    try {
      const answer = await post("/api/actions", { annotator, ...asked, actions });
      succeed(answer, annotator, actions);
    } catch (error) {
      if (error.status === 403 && asker() && asker() !== annotator) barred.add(annotator);
      else fail(error, actions);
    }
    sending = false;
    tell();
    if (parcels.some(mayGo)) flush();
  }

  function succeed(answer, annotator, actions) {
    const settled = new Set([...answer.saved, ...answer.refused].map((one) => one.client));
    settle(settled);
    failures = 0;
    trouble = null;
    batchLimit = LIMIT;
    if ((actions.length || behind) && !settled.size)
      wait("The studio did not say whether it saved."); // never a tight loop
    onAnswer(answer, annotator);
  }

  function fail(error, actions) {
    if (error.status === 409 && volatile) behind = true;
    else if (error.status === 409) onChanged();
    const bad = error.status === 400 || error.status === 413 || error.status === 422;
    if (bad && actions.length === 1) {
      // The server will never take this one: say so, and let the others pass.
      settle(new Set([actions[0].client]));
      trouble = null;
      onAnswer({ saved: [], refused: [{ client: actions[0].client, why: error.message }], items: [] });
    } else if (bad && actions.length > 1) {
      batchLimit = Math.max(1, Math.floor(actions.length / 2)); // find the one that is wrong
      trouble = null;
    } else wait(error.message);
  }

  function wait(message) {
    const pause = PAUSES[Math.min(failures, PAUSES.length - 1)];
    failures += 1;
    trouble = { message, retryAt: Date.now() + 1000 * pause };
    timer = setTimeout(retry, 1000 * pause);
  }

  function retry() {
    if (sending) return;
    trouble = null;
    flush();
  }

  /** Parcels that an earlier page left behind, oldest first. */
  function left() {
    const known = new Set(parcels.map((parcel) => parcel.key));
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(space) && !known.has(key));
    return keys
      .sort()
      .map((key) => parse(localStorage.getItem(key), key))
      .filter(Boolean);
  }

  /** Sends parcels that were left behind before anything new. */
  function take(found) {
    parcels = [...found, ...parcels];
    tell();
  }

  /** Tells of an item whether the server has yet to answer for an action on it. */
  function busy() {
    const deeds = ({ actions }) => actions.filter((action) => action.kind !== "note"); // which change no label
    const ids = new Set(parcels.flatMap((parcel) => deeds(parcel).flatMap((action) => action.ids ?? action.id)));
    const here = parcels.filter((parcel) => parcel.edition === edition);
    const samples = new Set(
      here.flatMap((parcel) => deeds(parcel).flatMap((action) => action.samples ?? action.sample)),
    );
    return (item) => ids.has(item.id) || samples.has(item.sample);
  }

  return { add, flush, retry, left, take, busy };
}

/** The first actions that are about few enough samples to be answered soon; at least one. */
function light(actions) {
  let weight = 0;
  return actions.filter(({ samples }, k) => (weight += samples?.length ?? 0) <= HEAVY || k === 0);
}

/** Whether an action means the same in every edition of the pool. */
export const isNamed = (action) =>
  action.samples ? action.ids != null : action.sample == null || action.id != null;

function parse(text, key) {
  try {
    const parcel = JSON.parse(text);
    return Array.isArray(parcel.actions) && typeof parcel.annotator === "string" ? { ...parcel, key } : null;
  } catch {
    return null;
  }
}

let serial = 0;

/** Sorts by time, then by order within this page; unique among tabs. */
function stamp() {
  serial += 1;
  return `${String(Date.now()).padStart(15, "0")}-${String(serial).padStart(8, "0")}-${uuid().slice(0, 8)}`;
}

/** A random UUID; `crypto.randomUUID` is missing on pages that are served without TLS to another machine. */
export function uuid() {
  const b = crypto.getRandomValues(new Uint8Array(16));
  b[6] = (b[6] & 0x0f) | 0x40;
  b[8] = (b[8] & 0x3f) | 0x80;
  const hex = Array.from(b, (x) => x.toString(16).padStart(2, "0")).join("");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
