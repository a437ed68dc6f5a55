// Labels that look wrong: the first of them as the server lists them, without those that were just dealt with here.
import { get } from "../api.js";
import { sameLabel } from "../words.js";
import { unsentNow } from "./line.js";
import { page } from "./page.js";
import { fetchSamples } from "./samples.js";

const SHOWN = 50;
let latest = 0; // number of the last request
let newest = null; // its promise
const done = new Map(); // sample -> the last request that may not know of it yet

/** Done when the list is as the last request found it, also for those who asked before. */
export const fetchIssues = () => (newest = fetchNow());

async function fetchNow() {
  const number = (latest += 1);
  const { annotator } = page.get();
  const isUnsent = unsentNow();
  const found = await get("/api/issues", { annotator, limit: SHOWN });
  await fetchSamples(found.issues.map((issue) => issue.sample));
  if (number !== latest) return newest;
  if (annotator !== page.get().annotator) return;
  const isNew = ({ sample }) => !isUnsent({ sample, id: null }) && !(done.get(sample) >= number);
  page.set({ checks: { ...found, issues: found.issues.filter(isNew) } });
}

export const issueOf = (sample) => page.get().checks?.issues.find((issue) => issue.sample === sample);

/** A sample beside what speaks against its label; null where its label is another one by now. */
export function withIssue(item, issue = issueOf(item.sample)) {
  if (!issue || !sameLabel(item.label, issue.label)) return null;
  const { suggested: value, probability, quality } = issue;
  return { ...item, check: issue, suggestion: value == null ? null : { value, probability, uncertainty: 1 - quality } };
}

export function dropIssue(sample) {
  const { checks } = page.get();
  done.set(sample, latest);
  if (!issueOf(sample)) return;
  const issues = checks.issues.filter((issue) => issue.sample !== sample);
  page.set({ checks: { ...checks, issues, total: checks.total - 1 } });
}

export function bringIssueBack(issue) {
  const { checks } = page.get();
  done.delete(issue.sample);
  if (!checks || issueOf(issue.sample)) return;
  page.set({ checks: { ...checks, issues: [issue, ...checks.issues], total: checks.total + 1 } });
}
