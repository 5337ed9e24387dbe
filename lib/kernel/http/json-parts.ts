/** Limits the lists and objects of a body. Four megabytes can hold 1.4 million, which need 100 MB of memory. */
export const maxJsonParts = 300_000;

const opening: readonly number[] = ['{', '['].map((sign) => sign.charCodeAt(0));
const textOrOpening = /"(?:[^"\\]|\\.)*"?|[{[]/gs;

/** Returns whether the JSON has more lists and objects. Texts are examined only if their brackets decide. */
export function hasTooManyParts(json: string): boolean {
  if (json.length <= maxJsonParts) return false;
  let parts = 0;
  for (let at = 0; at < json.length && parts <= maxJsonParts; at++) if (opening.includes(json.charCodeAt(at))) parts++;
  if (parts <= maxJsonParts) return false;
  let outside = 0;
  for (const [piece] of json.matchAll(textOrOpening)) {
    if (piece.startsWith('"')) continue;
    outside += 1;
    if (outside > maxJsonParts) return true;
  }
  return false;
}
