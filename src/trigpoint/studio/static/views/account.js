// One's own account, of those whose link has a name: a password to come in without the link, and the way out.
import { post } from "../api.js";
import { html, useState } from "../html.js";
import { page } from "../store/page.js";
import { many } from "../words.js";
import { Sheet } from "./sheet.js";

export function Account() {
  const { setup, line } = page.get();
  const [password, setPassword] = useState("");
  const [said, setSaid] = useState(null); // {ok, text}
  const save = async (event) => {
    event.preventDefault();
    setSaid(null);
    try {
      await post("/api/password", { password });
      setPassword("");
      setSaid({ ok: true, text: "The password is set: sign in with it from any browser." });
    } catch (error) {
      setSaid({ ok: false, text: error.message });
    }
  };
  const leave = async () => {
    try {
      await post("/api/sign_out", {});
      location.replace("/");
    } catch (error) {
      setSaid({ ok: false, text: error.message });
    }
  };
  return html`
    <${Sheet} title=${setup.person} className="account">
      <p class="quiet">This link is yours alone. With a password you can also sign in at ${location.origin} with your name.</p>
      <form onSubmit=${save}>
        <input class="unseen" tabindex="-1" aria-hidden="true" autocomplete="username" value=${setup.person} readonly />
        <label for="new-password">New password, at least 8 characters</label>
        <div class="row">
          <input
            id="new-password"
            type="password"
            minlength="8"
            maxlength="200"
            autocomplete="new-password"
            required
            value=${password}
            onInput=${(event) => setPassword(event.target.value)}
          />
          <button class="primary" type="submit">Set password</button>
        </div>
      </form>
      ${said && html`<p class=${said.ok ? "" : "wrong"} role=${said.ok ? "status" : "alert"}>${said.text}</p>`}
      ${line.unsent > 0 && html`<p>${many(line.unsent, "action")} wait to be sent: they stay in this browser.</p>`}
      <p><button onClick=${leave}>Sign out</button></p>
    <//>
  `;
}
