// Which key labels with which class: digits, then letters that are no commands. A class that is called by one digit
// or letter gets that key if it is free. Keys never move while the page is open: what a finger has learned stays true.
const COMMANDS = { u: "undo", s: "skip", h: "help", m: "map", k: "keep", z: "zoom" };
const ORDER = [..."1234567890", ..."abcdefghijklmnopqrstuvwxyz"].filter((key) => !(key in COMMANDS));

/** @returns {Map<string, string>} class -> key, for as many as there are keys */
export function assignKeys(before, classes) {
  const keys = new Map([...before].filter(([name]) => classes.includes(name)));
  const taken = new Set(keys.values());
  const give = (name, key) => {
    keys.set(name, key);
    taken.add(key);
  };
  const fresh = classes.filter((name) => !keys.has(name));
  for (const name of fresh) {
    const own = name.toLowerCase();
    if (ORDER.includes(own) && !taken.has(own)) give(name, own);
  }
  for (const name of fresh) {
    const free = keys.has(name) ? null : ORDER.find((key) => !taken.has(key));
    if (free) give(name, free);
  }
  return keys;
}
