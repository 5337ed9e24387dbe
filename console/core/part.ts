/** Returns whether a value has parts with names. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the part of a value that has this name. */
export function partOf(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}

/** Returns the word of a list that equals a text, or `undefined` if the list has no such word. */
export function wordOf<Word extends string>(words: readonly Word[], text: string | null | undefined): Word | undefined {
  return words.find((word) => word === text);
}
