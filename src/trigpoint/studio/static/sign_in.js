// Sign in with name and password. This file is all that a visitor without a link may load, and it knows nothing else.
const form = document.getElementById("sign-in");
const said = document.getElementById("said");

async function signIn() {
  const body = { name: form.querySelector("#name").value, password: form.querySelector("#password").value };
  const answer = await fetch("/api/sign_in", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  if (answer.ok) return location.replace("/");
  const { error } = await answer.json();
  said.textContent = error.charAt(0).toUpperCase() + error.slice(1);
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const button = form.querySelector("button");
  button.disabled = true;
  said.textContent = "";
  signIn()
    .catch(() => (said.textContent = "The studio does not answer."))
    .finally(() => (button.disabled = false));
});
form.querySelector("#name").focus();
