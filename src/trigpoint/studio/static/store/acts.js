// What a person does: label one or many, accept, keep, skip, be unsure, undo. Each act belongs to the sample shown at that moment,
// and the next sample is on the screen before anything is sent.
import { get } from "../api.js";
import { hurryLabels } from "../map/atlas.js";
import { deedText, many, sameLabel } from "../words.js";
import { bringIssueBack, dropIssue, withIssue } from "./checks.js";
import { asDeed, groupActions, groupDeeds } from "./groups.js";
import { send } from "./line.js";
import { uuid } from "./outbox.js";
import { current, isRegression, isTags, notify, page, refreshClasses, source, suggestion } from "./page.js";
import { fetchSample, fetchSamples, recall, remember } from "./samples.js";
import { advance } from "./visits.js";

let shown = { item: null, since: 0, away: false };

/** Keeps the time since the item came up; no time where the page was out of sight in between. */
export function watchClock() {
  page.watch((p) => {
    const item = current(p);
    if (item?.sample !== shown.item?.sample)
      shown = { item, since: performance.now(), away: document.hidden };
  });
  document.addEventListener("visibilitychange", () => (shown.away ||= document.hidden));
}

const seconds = () => (shown.away ? null : Math.round(performance.now() - shown.since) / 1000);

/** Does `kind` with the sample that is shown, and goes on. */
function act(kind, fields = {}, before = []) {
  const p = page.get();
  const item = current(p);
  if (!item) return;
  const action = { client: uuid(), kind, sample: item.sample, id: item.id, ...fields };
  const deed = {
    client: action.client,
    kind,
    sample: item.sample,
    id: item.id,
    value: fields.value ?? null,
    source: source(p),
    check: item.check, // what spoke against the label
  };
  const mine = kind === "keep" ? item.mine : (fields.value ?? null);
  remember({ ...(item.check ? (recall(item.sample) ?? item) : item), mine });
  if (item.check) dropIssue(item.sample);
  const deck = p.deck.filter((one) => one.sample !== item.sample);
  page.set({ deck, trail: [deed, ...p.trail], notice: null });
  if (p.visit) advance();
  page.set({ said: `${deedText(deed)}. ${describe(current(page.get()))}` });
  send([...before, action]);
}

const describe = (item) => (item ? `Next: ${item.id}` : "No sample left here.");

export function label(value) {
  const p = page.get();
  const item = current(p);
  if (!item) return;
  if (item.check && sameLabel(value, item.check.label)) return keep();
  const before = classFirst(value);
  const from = source(p);
  const fields = {
    value,
    suggested: suggestion(p, item)?.value ?? null,
    seconds: seconds(),
    final: from === "disagreement",
    source: from,
    ...(item.check && { was: item.check.label }),
  };
  act("label", fields, before);
}

/** The label that looks wrong is right. */
export function keep() {
  const { check } = current(page.get()) ?? {};
  if (!check) return;
  const { label: value, quality, suggested } = check;
  act("keep", { value, quality, suggested, seconds: seconds(), source: "check" });
}

/** Not now. A label that is checked stays as it is. */
export function skip() {
  const p = page.get();
  if (!current(p)?.check) return act("skip", { source: source(p) });
  advance();
  page.set({ said: `Left as it is. ${describe(current(page.get()))}` });
}

export const unsure = () => act("unsure", { source: source(page.get()) });

export function accept() {
  const p = page.get();
  const item = current(p);
  const found = suggestion(p, item);
  if (found) label(found.value);
  else if (item) page.set({ said: "There is no suggestion for this sample." });
}

/** One label for many samples, of which those with an answer stay as they are unless `relabel`; undone as one. */
export const labelMany = (samples, value, options) => labelLots([[samples, value]], options);

/** The same for several labels: [[samples, value]]. */
export function labelLots(lots, { source, relabel = false }) {
  const p = page.get();
  const actions = groupActions(lots, source, relabel);
  const chosen = new Set(actions.flatMap((action) => action.samples));
  const deck = p.deck.filter((item) => !chosen.has(item.sample));
  page.set({ deck, trail: [...groupDeeds(actions), ...p.trail] });
  hurryLabels();
  send([...lots.flatMap(([, value]) => classFirst(value)), ...actions]);
}

/** The action that makes a class that is new. */
function classFirst(value) {
  const p = page.get();
  if (isRegression(p) || isTags(p) || p.classes.includes(value)) return [];
  page.set({ made: [...p.made, value] });
  refreshClasses();
  return [{ client: uuid(), kind: "class", name: value }];
}

/** Gives a class another name, or joins it to another one; the next undo takes that back. */
export function renameClass(old, name) {
  const client = uuid();
  page.set({ renamed: { client, after: page.get().trail[0]?.client } });
  send([{ client, kind: "rename", old, new: name }]);
}

export function undoRename(client) {
  page.set({ renamed: null, notice: null });
  send([{ client: uuid(), kind: "undo", target: client }]);
}

let undoing = Promise.resolve();
const undone = new Set(); // client ids of deeds taken back here; the server may not know yet

/** Takes back the last deed that still stands, and shows its sample again. Presses line up. */
export function undo() {
  const { renamed, trail } = page.get();
  if (renamed && renamed.after === trail[0]?.client) {
    notify("The classes are as they were.");
    return undoRename(renamed.client);
  }
  const deed = page.get().trail.find((one) => one.client);
  if (deed && (deed.group || recall(deed.sample))) takeBack(deed);
  else undoing = undoing.then(undoFar).catch((error) => notify(error.message));
}

/** The same for a deed of an earlier day: its sample, or the deed itself, must be fetched. */
async function undoFar() {
  if (!page.get().trail.some((one) => one.client)) await moreTrail();
  const deed = page.get().trail.find((one) => one.client);
  if (!deed) return notify("There is nothing to undo.");
  if (!deed.group && !recall(deed.sample)) await fetchSample(deed.sample);
  if (page.get().trail.includes(deed)) takeBack(deed);
}

function takeBack(deed) {
  const p = page.get();
  const trail = p.trail.filter((one) => one !== deed);
  undone.add(deed.client);
  page.set({ trail });
  if (deed.group) notify(`${many(deed.n, "label")} taken back.`);
  else bringBack(deed);
  hurryLabels();
  send([{ client: uuid(), kind: "undo", target: deed.client }]);
  if (trail.length < 12) moreTrail().catch(() => {});
}

function bringBack(deed) {
  const p = page.get();
  const known = recall(deed.sample);
  const plain = { ...known, mine: deed.kind === "keep" ? known.mine : null, former: deedText(deed) };
  if (deed.check) bringIssueBack(deed.check);
  const item = (deed.check && withIssue({ ...plain, label: deed.check.label }, deed.check)) || plain;
  const deck = p.deck.filter((one) => one.sample !== deed.sample);
  if ((deed.source ?? "queue") === "queue") page.set({ deck: [item, ...deck], visit: null });
  else page.set({ visit: { ...again(p.visit, deed), item } });
  if (isTags(p) && deed.value) page.set({ tagging: { sample: deed.sample, on: deed.value } }); // to change one of them
  page.set({ gallery: false }); // it is shown on the desk
  page.set({ said: `Taken back: ${deedText(deed)}. ${item.id}`, notice: null });
}

/** A visit to the sample of a deed, and then to what was left of its list. What is checked no more is looked up. */
function again(visit, { sample, source, check }) {
  const from = source === "check" && !check ? "history" : source;
  const rest = visit?.source === from ? visit.list.slice(visit.at) : [];
  return { source: from, list: [sample, ...rest.filter((one) => one !== sample)], at: 0 };
}

/** Deeds that an earlier page did and could not send. */
export function resume(parcels) {
  const { annotator, trail } = page.get();
  const own = parcels.filter((parcel) => parcel.annotator === annotator);
  const actions = own.flatMap((parcel) => parcel.actions);
  const deeds = [
    ...actions.map((action) => ({ ...action, id: action.id ?? `#${action.sample}` })),
    ...groupDeeds(actions.filter((action) => action.kind === "labels")),
  ];
  deeds.filter((deed) => deed.kind === "undo").forEach((deed) => undone.add(deed.target));
  const stand = deeds.filter(
    (deed) => deed.sample != null && deed.kind !== "note" && !undone.has(deed.client),
  );
  page.set({ trail: [...stand.reverse(), ...trail] });
}

/** The next page of own deeds from the server, with the contents of the nearest ones. */
export async function moreTrail() {
  const p = page.get();
  if (p.trailEnd) return;
  const before = p.trail.findLast((deed) => deed.seq)?.seq;
  const { events } = await get("/api/history", { annotator: p.annotator, before, limit: 50 });
  const now = page.get();
  if (now.annotator !== p.annotator) return;
  const here = new Set(now.trail.map((deed) => deed.client).filter(Boolean));
  const older = events.map(asDeed).filter(({ client }) => !client || !(here.has(client) || undone.has(client)));
  page.set({ trail: [...now.trail, ...older], trailEnd: events.length < 50 });
  const unseen = older
    .slice(0, 40)
    .map((deed) => deed.sample)
    .filter((sample) => !recall(sample));
  await fetchSamples([...new Set(unseen)]);
  page.set({ trail: [...page.get().trail] }); // the strip has contents to show now
}

/** When a class is renamed, merged or gets its old name back, own deeds are told by the names of now. */
export function watchNames() {
  let known = null;
  page.watch(async ({ annotator, server, trail }) => {
    const names = server && [...server.classes].sort().join("\n");
    if (names == null || names === known) return;
    const first = known === null;
    known = names;
    if (first || !trail.length) return;
    const { events } = await get("/api/history", { annotator, limit: 200 }).catch(() => ({ events: [] }));
    const values = new Map(events.map(asDeed).map(({ client, value }) => [client, value]));
    const renew = (deed) => (values.has(deed.client) ? { ...deed, value: values.get(deed.client) } : deed);
    if (page.get().annotator === annotator) page.set({ trail: page.get().trail.map(renew) });
  });
}
