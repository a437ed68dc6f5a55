// The tabs beside the desk and what they show. On a phone the desk and the map are tabs as well.
import { html } from "../html.js";
import { useCell } from "../store/cell.js";
import { isRegression, openTab, page } from "../store/page.js";
import { seesTeam } from "../store/role.js";
import { counted } from "../words.js";
import { Check } from "./check.js";
import { ClassList } from "./class_list.js";
import { Disagreements } from "./disagreements.js";
import { LeastSure } from "./least_sure.js";
import { Files } from "./files.js";
import { Progress } from "./progress.js";
import { Team } from "./team.js";

const PANELS = {
  progress: ["Progress", Progress],
  least_sure: ["Least sure", LeastSure],
  check: ["Check", Check],
  disagreements: ["Disagree", Disagreements],
  classes: ["Classes", ClassList],
  files: ["Files", Files],
  team: ["Team", Team],
};
const PHONE = { label: ["Label"], map: ["Map"] };

export function Tabs({ place }) {
  const p = useCell(page, (q) => ({
    chosen: place === "phone" ? q.tab : q.panel,
    disagreements: q.server?.disagreements ?? 0, // of both there is a number on the tab
    check: q.server?.issues ?? 0,
    real: isRegression(q),
    together: seesTeam(q),
  }));
  const tabs = place === "phone" ? { ...PHONE, ...PANELS } : PANELS;
  const { chosen } = p;
  const names = Object.keys(tabs).filter(
    (name) => !(p.real && name === "classes") && !(name === "team" && !p.together),
  );
  const onKey = (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const list = event.currentTarget;
    openTab(names[(names.indexOf(chosen) + step + names.length) % names.length]);
    requestAnimationFrame(() => list.querySelector("[aria-selected=true]")?.focus());
  };
  return html`
    <div class=${`tabs ${place}`} role="tablist" aria-label=${place === "phone" ? "Views" : "Figures"} onKeyDown=${onKey}>
      ${names.map(
        (name) => html`
        <button
          key=${name}
          role="tab"
          aria-selected=${name === chosen ? "true" : "false"}
          tabindex=${name === chosen ? 0 : -1}
          onClick=${() => openTab(name)}
        >
          ${tabs[name][0]}
          ${p[name] > 0 && html` <b class="badge">${counted(p[name])}</b>`}
        </button>
      `,
      )}
    </div>
  `;
}

export function Panels() {
  const [title, View] = PANELS[useCell(page, (p) => p.panel)];
  return html`
    <section class="panel" role="tabpanel" aria-label=${title} tabindex="0">
      <h2 class="unseen">${title}</h2>
      <${View} />
    </section>
  `;
}
