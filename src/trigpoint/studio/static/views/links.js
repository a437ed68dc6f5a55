// Links for others: one for each person, or one for anybody who has it; shown again whenever they are needed.
import { post } from "../api.js";
import { html, useRef, useState } from "../html.js";
import { notify } from "../store/page.js";
import { useNews } from "./team.js";

const ROLES = {
  annotator: "labels",
  viewer: "looks on and exports",
  owner: "may do everything",
};

export function Links() {
  const [news, again] = useNews("/api/links");
  const [name, setName] = useState("");
  const [role, setRole] = useState("annotator");
  const make = async (event) => {
    event.preventDefault();
    try {
      const link = await post("/api/links", { role, name: name.trim() || null });
      setName("");
      again();
      notify(`The link ${link.name ? `of ${link.name}` : "for anybody"} is in the list: copy it and send it.`);
    } catch (error) {
      notify(error.message);
    }
  };
  const end = async (id) => {
    try {
      await post("/api/links/end", { id });
    } catch (error) {
      notify(error.message);
    }
    again();
  };
  return html`
    <h3>Invite people</h3>
    <form class="invite" onSubmit=${make}>
      <label>Name <input maxlength="60" autocomplete="off" placeholder="anybody" value=${name} onInput=${(event) => setName(event.target.value)} /></label>
      <label>Role
        <select aria-label="Role" value=${role} onChange=${(event) => setRole(event.target.value)}>
          ${Object.entries(ROLES).map(([one, what]) => html`<option key=${one} value=${one}>${one}: ${what}</option>`)}
        </select>
      </label>
      <button class="primary" type="submit">Make a link</button>
    </form>
    <p class="quiet">
      With a name, the link is that person's: it stays the same, and nobody else labels in that name. Without one,
      whoever has the link gives a name.
    </p>
    ${!news && html`<p class="quiet">Looking…</p>`}
    ${news?.error && html`<p class="wrong" role="alert">${news.error}</p>`}
    ${
      news?.links?.length > 0 &&
      html`
      ${news.local && html`<p class="quiet">Only browsers on this machine can open these links. To let others in, start the studio with --allow-remote, or with --public-url behind a proxy.</p>`}
      <ul class="invitations" aria-label="Links">${news.links.map((link) => html`<${Invitation} key=${link.id} link=${link} onEnd=${() => end(link.id)} />`)}</ul>
    `
    }
  `;
}

function Invitation({ link, onEnd }) {
  const [ending, setEnding] = useState(false);
  const field = useRef();
  const who = link.name ?? "Anybody";
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link.url);
    } catch {
      field.current.select(); // without HTTPS browsers have no clipboard for pages
      document.execCommand("copy");
    }
    notify(`The link of ${who} is copied.`);
  };
  return html`
    <li>
      <p><bdi class="who">${who}</bdi> <span class="quiet">${link.role}${link.password ? ", has a password" : ""}</span></p>
      <div class="row">
        <input ref=${field} readonly value=${link.url} aria-label=${`Link of ${who}`} onFocus=${(event) => event.target.select()} />
        <button onClick=${copy} aria-label=${`Copy the link of ${who}`}>Copy</button>
        ${
          ending
            ? html`<button class="wrong" onClick=${onEnd} aria-label=${`End it for good: the link of ${who}`}>End it for good</button>`
            : html`<button onClick=${() => setEnding(true)} aria-label=${`End the link of ${who}`}>End</button>`
        }
      </div>
    </li>
  `;
}
