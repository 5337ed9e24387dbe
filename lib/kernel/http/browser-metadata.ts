import { isRecord } from '#kernel/core/is-record.ts';

type Replacer = (this: unknown, key: string, value: unknown) => unknown;

/** Fields whose metadata the browser itself has sent. An order of a browser is new, and so is a redemption. */
const ownObjects: ReadonlySet<unknown> = new Set(['event', 'order', 'redemption']);

/** Returns a replacer of `JSON.stringify` that keeps only these keys of the shop's metadata, anywhere in a reply. */
export function createMetadataReplacer(keys: readonly string[]): Replacer {
  const shown = new Set(keys);
  return function (key, value) {
    if (key !== 'metadata' || !isRecord(value)) return value;
    if (isRecord(this) && ownObjects.has(this.object)) return value;
    return Object.fromEntries(Object.entries(value).filter(([name]) => shown.has(name)));
  };
}
