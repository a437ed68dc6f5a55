// Light or dark: as the system says, or as chosen here; the choice is kept.
import { keep, kept } from "./store/browser_memory.js";

const KEY = "trigpoint:theme";

export function applyTheme(choice = kept(KEY)) {
  const root = document.documentElement;
  if (choice) root.dataset.theme = choice;
  else delete root.dataset.theme;
  window.dispatchEvent(new Event("themechange"));
}

const isDark = () => {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
};

export function toggleTheme() {
  const choice = isDark() ? "light" : "dark";
  keep(KEY, choice);
  applyTheme(choice);
}

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () =>
  window.dispatchEvent(new Event("themechange")),
);
