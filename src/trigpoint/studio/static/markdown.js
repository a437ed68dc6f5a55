// A safe part of Markdown as elements: headings, paragraphs, lists, quotes, code, bold, italic, links to https, and samples of
// the pool by their number. Text stays text: no markup in it is ever read as HTML, and nothing is loaded from elsewhere.
import { html } from "./html.js";

const DEEPEST = 4; // bold in italic in a link, and so on
// Each part is bounded, so that a long hostile text takes no longer than a kind one.
const INLINE = new RegExp(
  [
    "`([^`\\n]{1,500})`",
    "!\\[([^\\]\\n]{0,200})\\]\\((\\d{1,10})\\)",
    "\\[([^\\]\\n]{1,300})\\]\\(([^()\\s]{1,2000})\\)",
    "\\*\\*(?=\\S)([^\\n]{1,1000}?)\\*\\*",
    "\\*(?=[^\\s*])([^*\\n]{1,1000})\\*",
    "(?<!\\w)_(?=[^\\s_])([^_\\n]{1,1000})_(?!\\w)",
  ].join("|"),
  "g",
);
const HEADING = /^(#{1,4})\s+(.*)$/;
const BULLET = /^\s{0,3}[-*+]\s+(.*)$/;
const NUMBER = /^\s{0,3}\d{1,4}[.)]\s+(.*)$/;
const QUOTE = /^>\s?(.*)$/;
const FENCE = /^```/;

/** The text as elements; `sample(number, words)` draws an example. */
export function markdown(text, sample) {
  const lines = String(text).replace(/\r\n?/g, "\n").split("\n");
  const found = [];
  let at = 0;
  /** Lines as long as they match, and the line numbers behind them. */
  const run = (rule) => {
    const taken = [];
    for (; at < lines.length && rule.test(lines[at]); at++) taken.push(rule.exec(lines[at])[1]);
    return taken;
  };
  while (at < lines.length) {
    const line = lines[at];
    const heading = HEADING.exec(line);
    if (!line.trim()) at++;
    else if (FENCE.test(line)) {
      const end = lines.findIndex((one, k) => k > at && FENCE.test(one));
      const last = end < 0 ? lines.length : end;
      found.push(html`<pre><code>${lines.slice(at + 1, last).join("\n")}</code></pre>`);
      at = last + 1;
    } else if (heading) {
      found.push(title(heading[1].length, inline(heading[2], sample)));
      at++;
    } else if (BULLET.test(line)) found.push(html`<ul>${items(run(BULLET), sample)}</ul>`);
    else if (NUMBER.test(line)) found.push(html`<ol>${items(run(NUMBER), sample)}</ol>`);
    else if (QUOTE.test(line)) found.push(html`<blockquote>${broken(run(QUOTE), sample)}</blockquote>`);
    else {
      const from = at;
      while (at < lines.length && isPlain(lines[at])) at++;
      found.push(html`<p>${broken(lines.slice(from, at), sample)}</p>`);
    }
  }
  return found;
}

const isPlain = (line) =>
  line.trim() && ![HEADING, BULLET, NUMBER, QUOTE, FENCE].some((rule) => rule.test(line));

const items = (lines, sample) => lines.map((line) => html`<li>${inline(line, sample)}</li>`);

/** Lines of one paragraph; two spaces at the end of a line break it. */
const broken = (lines, sample) =>
  lines.map((line, k) => [
    inline(line.trim(), sample),
    k < lines.length - 1 && (line.endsWith("  ") ? html`<br />` : " "),
  ]);

/** A sheet has the first two headings. */
function title(level, words) {
  if (level === 1) return html`<h3 class="first">${words}</h3>`;
  return level === 2 ? html`<h3>${words}</h3>` : html`<h4>${words}</h4>`;
}

function inline(text, sample, depth = 0) {
  if (depth > DEEPEST) return text;
  const parts = [];
  let last = 0;
  for (const match of text.matchAll(INLINE)) {
    parts.push(text.slice(last, match.index), element(match, sample, depth + 1));
    last = match.index + match[0].length;
  }
  return [...parts, text.slice(last)];
}

function element([whole, code, words, number, linked, address, bold, italic, also], sample, depth) {
  if (code != null) return html`<code>${code}</code>`;
  if (number != null) return sample(Number(number), words);
  if (linked != null) {
    const href = safe(address);
    if (!href) return whole;
    return html`<a href=${href} target="_blank" rel="noopener noreferrer">${inline(linked, sample, depth)}</a>`;
  }
  if (bold != null) return html`<strong>${inline(bold, sample, depth)}</strong>`;
  return html`<em>${inline(italic ?? also, sample, depth)}</em>`;
}

/** An address that may be followed: https, and nothing else. */
function safe(address) {
  if (!/^https:\/\//i.test(address)) return null;
  try {
    const url = new URL(address);
    return url.protocol === "https:" && !url.username && !url.password ? url.href : null;
  } catch {
    return null;
  }
}
