/** Lists and objects of a body: four megabytes have room for 1.4 million, which take 100 MB once they are read. */
export const maxJsonParts = 300_000;

const opening: readonly number[] = ['{', '['].map((sign) => sign.charCodeAt(0));
const textOrOpening = /"(?:[^"\\]|\\.)*"?|[{[]/gs;

/** Whether the JSON has more of them. What stands in texts counts only where that decides. */
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
