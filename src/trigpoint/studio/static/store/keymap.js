// Which key labels with which class: the key that the owner gave it; else digits, then letters that are no commands. A
// class that is called by one digit or letter gets that key if it is free. Keys never move while the page is open, unless
// the owner says so: what a finger has learned stays true.
const COMMANDS = {
  u: "undo",
  s: "skip",
  h: "help",
  m: "map",
  k: "keep",
  g: "gallery",
  i: "guidelines",
  n: "note",
  f: "flag",
  z: "zoom",
  "?": "unsure",
  "/": "search",
  "+": "closer",
  "=": "closer",
  "-": "farther",
};
const ORDER = [..."1234567890", ..."abcdefghijklmnopqrstuvwxyz"].filter((key) => !(key in COMMANDS));

/**
 * @param {Map<string, string>} before  class -> key, as a finger has learned them
 * @param {string[]} classes
 * @param {Object<string, string | null>} given  class -> the key that the owner gave it
 * @returns {Map<string, string>} class -> key, for as many as there are keys
 */
export function assignKeys(before, classes, given = {}) {
  const has = (name) => Object.hasOwn(given, name) && given[name]; // a class may be called "constructor"
  const told = new Map(classes.filter(has).map((name) => [name, given[name]]));
  const taken = new Set(told.values());
  const kept = [...before].filter(
    ([name, key]) => classes.includes(name) && !told.has(name) && !taken.has(key),
  );
  const keys = new Map([...told, ...kept]);
  kept.forEach(([, key]) => taken.add(key));
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

/** The class that a key press means; `keys` are those of all classes now. */
export function classOf({ key, code, shiftKey }, keys) {
  const simple = key.length === 1 ? key.toLowerCase() : key;
  // Some keyboards give digits only with Shift: there the place of the key counts.
  const digit = shiftKey ? null : /^(?:Digit|Numpad)(\d)$/.exec(code)?.[1];
  const having = (wanted) => [...keys].find(([, own]) => own === wanted)?.[0];
  return having(simple) ?? (digit && having(digit));
}

/** Why a class cannot have this key, in a sentence; null where it can. `keys` are those of all classes now. */
export function keyProblem(name, key, keys) {
  if ([...key].length !== 1 || !key.trim()) return "A key is one letter, digit or sign.";
  if (key in COMMANDS) return `The key ${key} is taken: ${COMMANDS[key]}.`;
  const other = [...keys].find(([one, own]) => own === key && one !== name)?.[0];
  return other == null ? null : `The key ${key} belongs to ${other}; give ${other} another key first.`;
}
