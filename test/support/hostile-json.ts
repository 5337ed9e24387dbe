import { type Json, resolved } from './openapi.ts';

/** Values in a body from an attacker of the service. */

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
const quoted = (text: string) => JSON.stringify(text);

/** The text exceeds DynamoDB's limit of an item. */
const tooLong = 'x'.repeat(500_000);

/** JSON as text, because `JSON.stringify` would not write all these values. */
export const hostileJson: Readonly<Record<string, string>> = {
  'arrays nested 400 deep': '['.repeat(400) + ']'.repeat(400),
  'arrays nested 100,000 deep': '['.repeat(100_000) + ']'.repeat(100_000),
  'objects nested 100,000 deep': `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
  'objects nested as deep as the table does not': `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`,
  'the largest double': '1.7976931348623157e308',
  'a number beyond the doubles': '1e400',
  'a negative number beyond the doubles': '-1e400',
  'negative zero': '-0',
  'an integer that a double rounds': '9007199254740993',
  'an integer of 41 digits': '12345678901234567890123456789012345678901',
  'a fraction of 41 digits': '0.12345678901234567890123456789012345678901',
  'a number of 100,000 digits': '9'.repeat(100_000),
  'a number next to zero': '5e-324',
  'a number that the table takes for zero': '1e-140',
  'NaN as text': '"NaN"',
  'infinity as text': '"Infinity"',
  'a number as text': '"1e3"',
  'full-width digits': '"１０"',
  null: 'null',
  true: 'true',
  false: 'false',
  'an empty text': '""',
  'an empty array': '[]',
  'an empty object': '{}',
  'an array in an array': '[[]]',
  'an array of null': '[null]',
  'an empty key': '{"":1}',
  'a key __proto__': '{"__proto__":{"polluted":true}}',
  'a constructor with a prototype': '{"constructor":{"prototype":{"polluted":true}}}',
  'names that every object has as keys':
    '{"constructor":"a","toString":"b","valueOf":"c","hasOwnProperty":"d","prototype":"e"}',
  'numbers under names that every object has': '{"constructor":1,"toString":2,"length":3}',
  'an object that no text can be made of': '{"toString":1,"valueOf":1}',
  'an array of objects that no text can be made of': '[[{"toString":1}]]',
  'the text __proto__': '"__proto__"',
  'the text constructor': '"constructor"',
  'the text toString': '"toString"',
  'a key of 70 KB': `{${quoted('k'.repeat(70_000))}:1}`,
  'a key of 300 bytes': `{${quoted('é'.repeat(150))}:1}`,
  NUL: '"\\u0000"',
  'control characters': '"\\u0001\\b\\u001b[2J\\u007f\\u0085"',
  'a key with NUL': '{"a\\u0000b":"c"}',
  'half a surrogate pair': '"\\ud800"',
  'the other half': '"a\\udc00b"',
  'a key with half a surrogate pair': '{"\\udc00":1}',
  'text that turns its direction': '"\\u202eabc\\u2066"',
  'a byte order mark': '"\\ufeff"',
  'a composed letter': '"\\u00e9"',
  'a decomposed letter': '"e\\u0301"',
  'a text beyond an item': quoted(tooLong),
  'a text as long as a key may not be': quoted('k'.repeat(2_049)),
  '200,000 different characters': quoted(
    numbers(200_000)
      .map((one) => String.fromCodePoint(0x10_000 + one))
      .join(''),
  ),
  '100,000 zeros': `[${numbers(100_000).fill(0).join()}]`,
  '100,000 objects': `[${numbers(100_000)
    .map(() => '{}')
    .join()}]`,
  '100,000 texts': `[${numbers(100_000)
    .map((one) => `"${one}"`)
    .join()}]`,
  '5,000 keys': `{${numbers(5_000)
    .map((one) => `"key ${one}":${one}`)
    .join()}}`,
  '500 keys': `{${numbers(500)
    .map((one) => `"k${one}":"v"`)
    .join()}}`,
  'a key twice': '{"a":1,"a":"2"}',
  'an impossible date': '"2026-02-30T00:00:00Z"',
  'a date before all': '"-000001-01-01T00:00:00Z"',
  'a date that its offset moves out of the years': '"9999-12-31T23:59:59-12:00"',
  'a duration beyond time': `"P${'9'.repeat(400)}D"`,
  'a text that is a path': '"../../../etc/passwd"',
  'a text that is an expression': '"#pk = :v0) OR (attribute_exists(pk"',
};

/** Marks the place of a value in a body until its text is inserted. */
const mark = '\u{e000}';

function withMark(value: unknown, [step, ...rest]: readonly (string | number)[]): unknown {
  if (step === undefined) return mark;
  if (typeof step === 'number') {
    const items = Array.isArray(value) ? value : [];
    return [withMark(items[0], rest), ...items.slice(1)];
  }
  const fields = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  return { ...fields, [step]: withMark((fields as Json)[step], rest) };
}

/** Returns the body with JSON text in one place. */
export function planted(body: unknown, place: readonly (string | number)[], json: string): string {
  return JSON.stringify(withMark(body, place)).replace(quoted(mark), () => json);
}

/** Returns every place in a value. An array has the places of its first element. Schemas do not list the places of open objects. */
export function placesOf(value: unknown): (string | number)[][] {
  if (Array.isArray(value)) return [[], ...placesOf(value[0]).map((place) => [0, ...place])];
  if (typeof value !== 'object' || value === null) return [[]];
  return [[], ...Object.entries(value).flatMap(([key, inner]) => placesOf(inner).map((place) => [key, ...place]))];
}

/** Returns every place that a schema names. An array has the places of its first element. */
export function placesIn(document: Json, schema: Json): (string | number)[][] {
  const {
    properties = {},
    items,
    anyOf,
    oneOf,
  } = resolved(document, schema) as {
    properties?: Record<string, Json>;
    items?: Json;
    anyOf?: Json[];
    oneOf?: Json[];
  };
  const inside = [
    ...Object.entries(properties).flatMap(([name, field]) =>
      placesIn(document, field).map((place) => [name, ...place]),
    ),
    ...(items ? placesIn(document, items).map((place) => [0, ...place]) : []),
    ...[...(anyOf ?? []), ...(oneOf ?? [])].flatMap((option) => placesIn(document, option)),
  ];
  const places = new Map([[], ...inside].map((place) => [JSON.stringify(place), place]));
  return [...places.values()];
}
