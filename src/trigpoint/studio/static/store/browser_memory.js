// Small choices that this browser keeps; where it keeps nothing, they last as long as the page.
export function kept(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function keep(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Applied, but not kept.
  }
}
