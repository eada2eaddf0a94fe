// What the reader has chosen, kept in the address: a link shows what its sender saw.

const chosen = new URLSearchParams(location.hash.slice(1));

// choice returns what was chosen under a key, "" for nothing.
export function choice(key) {
  return chosen.get(key) ?? "";
}

// choose keeps a choice; "" forgets it. The address changes without a step in the browser's history.
export function choose(key, value) {
  if (value === "") chosen.delete(key);
  else chosen.set(key, value);
  const hash = chosen.toString();
  history.replaceState(null, "", hash ? "#" + hash : location.pathname + location.search);
}
