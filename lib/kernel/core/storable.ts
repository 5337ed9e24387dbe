import { walkEntries } from './walk-entries.ts';

/** Decides which JSON values DynamoDB can store unchanged. */

/** DynamoDB stores text as UTF-8, which has no lone surrogates. */
export const wellFormed = 'must be well-formed Unicode';

/** Two characters that Unicode reserves for programs. XML and queues refuse them. */
const reserved = /[\ufffe\uffff]/;
export const withoutReserved = 'must not have the characters U+FFFE and U+FFFF';

/** Returns whether callers may send the text. Stored texts from before may have the reserved characters. */
export const isSendable = (text: string): boolean => !reserved.test(text);

/** DynamoDB nests 32 levels deep. The item itself and the attribute are two of them. */
export const maxDepth = 30;

/** DynamoDB limits the name of an attribute to 64 KB. */
export const maxKeyBytes = 65_535;

/** Shows in the document what can be stored. */
export const shownStorable = {
  type: 'object',
  description: `Free key/value pairs: keys of 1 to ${maxKeyBytes} bytes, at most ${maxDepth} levels, numbers within ±${Number.MAX_SAFE_INTEGER} and none closer to 0 than 1e-100.`,
  propertyNames: { minLength: 1, maxLength: maxKeyBytes },
  additionalProperties: true,
};

/** Returns why DynamoDB cannot store a JSON value, or `undefined` if it can. `depth` is its depth in the attribute. */
export function explainUnstorable(value: unknown, depth = 0): string | undefined {
  if (depth > maxDepth) return `must be nested at most ${maxDepth} levels deep`;
  if (typeof value === 'number') {
    const size = Math.abs(value);
    return size > Number.MAX_SAFE_INTEGER || (size > 0 && size < 1e-100)
      ? `must have numbers between -${Number.MAX_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER} only, none closer to 0 than 1e-100`
      : undefined;
  }
  if (typeof value === 'string') return value.isWellFormed() ? undefined : wellFormed;
  if (typeof value !== 'object' || value === null) return undefined;
  if (Object.hasOwn(value, '')) return 'must not have an empty key';
  for (const [key] of Array.isArray(value) ? [] : walkEntries(value)) {
    if (!key.isWellFormed()) return wellFormed;
    if (Buffer.byteLength(key) > maxKeyBytes) return `must have keys of at most ${maxKeyBytes} bytes as UTF-8`;
  }
  for (const [, inner] of walkEntries(value)) {
    const reason = explainUnstorable(inner, depth + 1);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** Yields the place and the reason for each text and number of a request that cannot be stored. */
export function* findUnstorable(value: unknown, place = ''): Generator<string> {
  if (typeof value !== 'object' || value === null) {
    const isText = typeof value === 'string';
    const reason = isText && !isSendable(value) ? withoutReserved : explainUnstorable(value);
    if (reason !== undefined) yield `${place} ${reason}`;
    return;
  }
  for (const [key, inner] of walkEntries(value)) {
    if (!isSendable(key)) yield `${place === '' ? 'a key' : `a key of ${place}`} ${withoutReserved}`;
    const inside = Array.isArray(value) ? `[${key}]` : place === '' ? key : `.${key}`;
    yield* findUnstorable(inner, place + inside);
  }
}
