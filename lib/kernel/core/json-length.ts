/** Returns the bytes of a value without its inner values, as JSON in UTF-8. */
function ownBytes(value: unknown): number {
  if (Array.isArray(value)) return 2 + Math.max(value.length - 1, 0);
  if (typeof value !== 'object' || value === null) return Buffer.byteLength(JSON.stringify(value) ?? '');
  const keys = Object.keys(value);
  const ofKeys = keys.reduce((bytes, key) => bytes + Buffer.byteLength(JSON.stringify(key)) + 1, 0);
  return 2 + ofKeys + Math.max(keys.length - 1, 0);
}

/** Returns whether a value of JSON has more bytes than `max`. It may be nested too deep for `JSON.stringify`. */
export function isLongerAsJson(value: unknown, max: number): boolean {
  const open = [value];
  let bytes = 0;
  while (open.length > 0 && bytes <= max) {
    const one = open.pop();
    bytes += ownBytes(one);
    if (typeof one === 'object' && one !== null) for (const inner of Object.values(one)) open.push(inner);
  }
  return bytes > max;
}
