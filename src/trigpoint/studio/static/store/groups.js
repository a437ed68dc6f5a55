// One label for many samples: sent in parts, kept in the history as one deed, and undone as one.
import { labelText, many } from "../words.js";
import { uuid } from "./outbox.js";
import { notify, page } from "./page.js";
import { nameOf } from "./samples.js";

const PART = 2000; // samples of one action, as the server allows
const LONGEST = 300000; // letters of ids in one action

/** The actions of one gesture: `lots` are [samples, value]. The server leaves out those with an answer, unless `relabel`.
 * Samples whose ids are known here have actions of their own, which mean the same in every edition of the pool. */
export function groupActions(lots, source, relabel) {
  const group = uuid();
  const fields = { kind: "labels", source, relabel, group };
  const isKnown = (sample) => nameOf(sample) != null;
  const parts = lots.flatMap(([samples, value]) =>
    [samples.filter(isKnown), samples.filter((sample) => !isKnown(sample))].flatMap((some) =>
      Array.from({ length: Math.ceil(some.length / PART) }, (_, k) => [some.slice(k * PART, (k + 1) * PART), value]),
    ),
  );
  return parts.map(([samples, value]) => ({
    client: uuid(),
    ...fields,
    samples: Array.from(samples),
    ids: namesOf(Array.from(samples)),
    value,
  }));
}

function namesOf(samples) {
  const names = samples.map(nameOf);
  const isShort = names.reduce((sum, name) => sum + (name?.length ?? 0), 0) <= LONGEST;
  return isShort && names.every((name) => name != null) ? names : null;
}

/** Deeds of actions that are on their way, one of each group; `parts` are the actions not answered yet. */
export function groupDeeds(actions) {
  const deeds = new Map();
  for (const { client, group, samples, value, source, relabel } of actions) {
    const before = deeds.get(group) ?? { samples: [], parts: [], lots: [] };
    deeds.set(group, {
      client: group, // an undo names the group
      kind: "label",
      group,
      sample: before.sample ?? samples[0],
      id: `#${before.sample ?? samples[0]}`,
      value: before.lots.every(([, other]) => other === value) ? value : null, // null: of several classes
      source,
      relabel,
      lots: [...before.lots, [samples, value]],
      samples: [...before.samples, ...samples],
      n: before.samples.length + samples.length,
      parts: [...before.parts, client],
      saved: 0,
    });
  }
  return [...deeds.values()];
}

/** What the server tells of a group is known by the group, as here. */
export const asDeed = (event) => (event.group ? { ...event, client: event.group } : event);

/** Deeds of groups that a version of the labels does not hold yet, oldest first. */
export const ahead = (trail, version) =>
  trail.filter((deed) => deed.samples && (deed.parts.length || deed.version > version)).reverse();

/** The server says how many labels it wrote, and in which version they are; a group of none is no deed. */
export function settleGroups(saved, version) {
  const written = new Map(saved.filter(({ n }) => n != null).map(({ client, n }) => [client, n]));
  if (!written.size) return;
  const settle = (deed) => {
    const told = deed.parts?.filter((client) => written.has(client)) ?? [];
    if (!told.length) return deed;
    const parts = deed.parts.filter((client) => !written.has(client));
    const sum = deed.saved + told.reduce((total, client) => total + written.get(client), 0);
    const done = { ...deed, version, parts, saved: sum, n: parts.length ? deed.n : sum };
    if (!parts.length && sum) tell(done);
    return done;
  };
  const { trail } = page.get();
  if (trail.some((deed) => deed.parts?.length))
    page.set({ trail: trail.map(settle).filter((deed) => deed.n !== 0) });
}

function tell({ n, samples, value }) {
  const left = samples.length - n;
  const rest = left ? ` ${many(left, "sample has", "samples have")} an answer already, and stay as they are.` : "";
  notify(`${many(n, "sample")} labeled${value == null ? "" : ` ${labelText(value)}`}.${rest}`);
}
