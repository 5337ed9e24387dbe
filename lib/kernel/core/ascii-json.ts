/** Writes JSON in ASCII, because queues refuse emoji and other characters. Readers of JSON see no difference. */
export function asciiJson(value: unknown): string {
  return toAscii(JSON.stringify(value));
}

/** Escapes a text of JSON, in which such characters are only in strings. */
export function toAscii(json: string): string {
  return json.replace(/[^\0-~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
