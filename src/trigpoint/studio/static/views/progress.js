// How it goes: how many labels are right, the classes, the people.
import { html } from "../html.js";
import { classColor } from "../palette.js";
import { useCell } from "../store/cell.js";
import { isRegression, isTags, page } from "../store/page.js";
import { counted, many, percent } from "../words.js";
import { CheckNow } from "./random_checks.js";

export function Progress() {
  const { pool, server, real, tags, classes } = useCell(page, (p) => ({
    tags: isTags(p),
    pool: p.setup.pool,
    server: p.server,
    real: isRegression(p),
    classes: p.classes,
  }));
  if (!server) return html`<p class="quiet">No figures yet.</p>`;
  const people = Object.entries(server.annotators).map(([name, n]) => [
    name,
    n,
    "var(--accent)",
    server.quality[name] == null ? "" : ` · quality ${percent(server.quality[name], 0)}`,
  ]);
  const counts = classes.map((name, k) => [name, server.counts[name] ?? 0, classColor(k)]);
  const missing = many(server.missing, "label");
  return html`
    <${Accuracy} advice=${server.advice} real=${real} />
    ${!real && classes.length > 0 && html`<h3>${tags ? "Samples with each tag" : "Labels of each class"}</h3><${Bars} rows=${counts} />`}
    ${people.length > 1 && html`<h3>People</h3><${Bars} rows=${people} />`}
    <${Agreement} agreement=${server.agreement} />
    ${server.unsure > 0 && html`<p class="quiet">Nobody was sure about ${many(server.unsure, "sample")}.</p>`}
    <${Unreadable} files=${server.skipped} n=${server.n_skipped} />
    ${pool.change && html`<p class="quiet" data-testid="change">Since the last start: ${pool.change}.</p>`}
    ${
      server.newer &&
      html`<p data-testid="newer">In the files now: ${server.newer}. Start the studio again to take this in.</p>`
    }
    ${server.missing > 0 && html`<p class="quiet">${missing} belong to samples that are not in the pool now.</p>`}
  `;
}

function Accuracy({ advice, real }) {
  return html`
    <h3>${real ? "How far off predictions are" : "How many labels are right"}</h3>
    ${advice?.headline && html`<p class="big">${advice.headline}</p>`}
    ${advice?.headline && !advice.few && !real && html`<${Interval} advice=${advice} />`}
    <p>${advice?.sentence ?? "An estimate comes with the first random checks."}</p>
    <${CheckNow} />
  `;
}

/** The estimate and its range on a line from none to all. */
function Interval({ advice }) {
  const [least, most, at] = [advice.high, advice.low, advice.error].map((wrong) => 100 * (1 - wrong));
  return html`
    <div class="accuracy" aria-hidden="true">
      <svg class="interval" viewBox="0 0 100 12" preserveAspectRatio="none">
        <rect class="rail" width="100" height="4" y="4" rx="2" />
        <rect class="span" x=${least} width=${Math.max(0.5, most - least)} height="4" y="4" />
        <rect class="mid" x=${Math.min(99, Math.max(0, at - 0.5))} width="1" height="12" />
      </svg>
      <span class="quiet scale"><span>0</span><span>from ${many(advice.n_audits, "random check")}</span><span>100</span></span>
    </div>
  `;
}

export function Bars({ rows }) {
  const most = Math.max(1, ...rows.map(([, n]) => n));
  return html`
    <dl class="bars">
      ${rows.map(
        ([name, n, color, note = ""]) => html`
        <div key=${name}>
          <dt><bdi>${name}</bdi></dt>
          <dd><i style=${{ "--c": color, "--w": `${(100 * n) / most}%` }}></i><span>${counted(n)}${note}</span></dd>
        </div>
      `,
      )}
    </dl>
  `;
}

/** Pictures that cannot be read: nobody is asked about them. */
function Unreadable({ files, n }) {
  if (!n) return null;
  const more = n - files.length;
  return html`
    <h3>Left out</h3>
    <p>${many(n, "picture")} could not be read:</p>
    <ul class="quiet" data-testid="skipped">
      ${files.map(({ sample, id, why }) => html`<li key=${sample}><bdi>${id}</bdi> (${why})</li>`)}
      ${more > 0 && html`<li>and ${counted(more)} more</li>`}
    </ul>
  `;
}

function Agreement({ agreement }) {
  if (!agreement) return null;
  const share = agreement.share == null ? "" : `${percent(agreement.share, 0)} of `;
  const alpha = agreement.alpha == null ? "" : `, Krippendorff's alpha ${agreement.alpha.toFixed(2)}`;
  return html`
    <h3>Agreement</h3>
    <p>${share}${many(agreement.pairs, "pair")} on ${many(agreement.samples, "sample")}${alpha}.</p>
  `;
}
