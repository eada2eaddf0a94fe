// The records inside the page: see package pagefile for how they are written.

// recordLines returns those lines of a record that begin with one of the texts, as objects.
export async function recordLines(element, beginnings) {
  const text = await unpack(bytesOf(element.textContent), "gzip").text();
  return text.split("\n").filter((line) => beginnings.some((b) => line.startsWith(b))).map((line) => JSON.parse(line));
}

// bytesOf returns what base64 stands for.
export function bytesOf(base64) {
  return Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
}

// unpack returns compressed bytes unpacked, as a Response, which has text() and arrayBuffer().
export function unpack(bytes, format) {
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream(format)));
}
