/**
 * Yields the entries of a JSON object or list one at a time. `Object.entries` of a long list needs ten times its
 * memory.
 */
export function* walkEntries(value: object): Generator<[key: string, inner: unknown]> {
  if (Array.isArray(value)) for (let index = 0; index < value.length; index++) yield [String(index), value[index]];
  else for (const key of Object.keys(value)) yield [key, Reflect.get(value, key)];
}
