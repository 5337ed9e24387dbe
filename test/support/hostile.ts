import { type Json, resolved } from './openapi.ts';

/** What somebody sends who wants to see what breaks. */

const repeated = (text: string, times: number) => text.repeat(times);
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
const quoted = (text: string) => JSON.stringify(text);

/** More than DynamoDB takes of an item. */
const tooLong = repeated('x', 500_000);

/** JSON as text, since not all of it is what `JSON.stringify` would write. */
export const hostileJson: Readonly<Record<string, string>> = {
  'arrays nested 400 deep': repeated('[', 400) + repeated(']', 400),
  'arrays nested 100,000 deep': repeated('[', 100_000) + repeated(']', 100_000),
  'objects nested 100,000 deep': `${repeated('{"a":', 100_000)}1${repeated('}', 100_000)}`,
  'objects nested as deep as the table does not': `${repeated('{"a":', 40)}1${repeated('}', 40)}`,
  'the largest double': '1.7976931348623157e308',
  'a number beyond the doubles': '1e400',
  'a negative number beyond the doubles': '-1e400',
  'negative zero': '-0',
  'an integer that a double rounds': '9007199254740993',
  'an integer of 41 digits': '12345678901234567890123456789012345678901',
  'a fraction of 41 digits': '0.12345678901234567890123456789012345678901',
  'a number of 100,000 digits': repeated('9', 100_000),
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
  'the text __proto__': '"__proto__"',
  'the text constructor': '"constructor"',
  'the text toString': '"toString"',
  'a key of 70 KB': `{${quoted(repeated('k', 70_000))}:1}`,
  'a key of 300 bytes': `{${quoted(repeated('é', 150))}:1}`,
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
  'a text as long as a key may not be': quoted(repeated('k', 2_049)),
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
  'a duration beyond time': `"P${repeated('9', 400)}D"`,
  'a text that is a path': '"../../../etc/passwd"',
  'a text that is an expression': '"#pk = :v0) OR (attribute_exists(pk"',
};

/** What stands for a value in a body until its text is put there. */
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

/** The body with JSON text in one place of it. */
export function planted(body: unknown, place: readonly (string | number)[], json: string): string {
  return JSON.stringify(withMark(body, place)).replace(quoted(mark), () => json);
}

/** Every place that a schema names; of arrays the first element. */
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

/** Whole bodies, as text or as bytes in base64, that are no JSON or none that anybody would send. */
export const hostileBodies: Readonly<Record<string, { body: string; isBase64Encoded?: boolean }>> = {
  nothing: { body: '' },
  blanks: { body: ' \r\n\t' },
  null: { body: 'null' },
  'a number': { body: '1' },
  'a text': { body: '"x"' },
  JavaScript: { body: "{a: 1, 'b': undefined}" },
  NaN: { body: 'NaN' },
  'half an object': { body: '{"a":1' },
  'a comma too many': { body: '{"a":1,}' },
  'two values': { body: '{}{}' },
  'a byte order mark before it': { body: '\ufeff{}' },
  'a raw control character': { body: '{"a":"\u0000"}' },
  'a key __proto__': { body: '{"__proto__":{"polluted":true},"name":"x"}' },
  'bytes that are not UTF-8': {
    body: Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0xff, 0x22, 0x3a, 0x31, 0x7d]).toString('base64'),
    isBase64Encoded: true,
  },
  'UTF-16': { body: Buffer.from('{"name":"x"}', 'utf16le').toString('base64'), isBase64Encoded: true },
  'compressed bytes': {
    body: Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]).toString('base64'),
    isBase64Encoded: true,
  },
  'what is no base64': { body: '%%%', isBase64Encoded: true },
};

/** Bodies about as long as a function takes, or longer. */
export const hugeBodies: typeof hostileBodies = {
  '4 MB and one byte': { body: repeated(' ', 4 * 1024 * 1024 + 1) },
  '6 MB in base64': { body: repeated('ICAg', 2 * 1024 * 1024), isBase64Encoded: true },
  '4 MB of brackets': { body: repeated('[', 4 * 1024 * 1024) },
  'half a million numbers': { body: `[${repeated('0,', 500_000)}0]` },
  '4 MB of escapes': { body: `{"a":"${repeated('\\u0000', 690_000)}"}` },
};

export const hostileForms: readonly string[] = [
  'grant_type=client_credentials&grant_type=client_credentials&scope=api',
  'access_token=a&access_token=b',
  'access_token=%',
  'access_token=%zz%c3%28%ff',
  'access_token=%00',
  'access_token[]=a',
  'access_token=',
  '=&=&&;',
  '__proto__=a&constructor=b&toString=c',
  'grant_type=client_credentials&scope=__proto__',
  'grant_type=client_credentials&scope=constructor',
  'grant_type=client_credentials&scope=%00',
  'grant_type=client_credentials&scope=vouchers%0d%0aX-Injected:%201',
  `grant_type=client_credentials&scope=${repeated('vouchers+', 50_000)}vouchers`,
  `grant_type=client_credentials&scope=${repeated('nothing+', 50_000)}nothing`,
  `access_token=${repeated('x', 1_000_000)}`,
  repeated('a=b&', 200_000),
  repeated('%', 1_000_000),
  '{"access_token":"x"}',
];

export const hostileTypes: readonly (string | undefined)[] = [
  undefined,
  '',
  ';',
  'application/json; charset=utf-16',
  'application/json,application/json',
  'application/problem+json',
  'application/jsonp',
  'APPLICATION/JSON',
  'application/json\u0000',
  'application/x-www-form-urlencoded; charset=iso-8859-1',
  'multipart/form-data; boundary=x',
  'text/plain',
  '*/*',
  `application/${repeated('a', 100_000)}`,
  `application/${repeated('a+', 50_000)}json!`,
];

/** As the gateway has decoded them once. */
export const hostileTexts: readonly string[] = [
  '\u0000',
  '..',
  '../..',
  '%2e%2e',
  '%',
  '%00',
  '%zz',
  '/',
  '#',
  '#pk',
  '~',
  '\ud800',
  '\u202e',
  '\ufeff',
  'é'.normalize('NFD'),
  'ﬁ',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'undefined',
  'null',
  'NaN',
  ' ',
  '\r\nX-Injected: 1',
  "' OR '1'='1",
  'PROJECTS',
  'v_0000000000000000000000',
  repeated('k', 1_025),
  repeated('k', 2_049),
  repeated('é', 5_000),
  repeated('%', 8_000),
];

export const hostileHeaderValues: readonly string[] = [
  '',
  ' ',
  '\u0000',
  'é\u00ff',
  'a,b',
  'a, a',
  '\r\nX-Injected: 1',
  '__proto__',
  'constructor',
  'Bearer',
  'Bearer ',
  'Bearer  ',
  'bearer\tx',
  'Bearer x y',
  'Bearer \u0000',
  'Bearer é',
  `Bearer ${repeated('x', 100_000)}`,
  'Basic dXNlcjpwYXNz',
  'Basic',
  'Digest username="x"',
  'AWS4-HMAC-SHA256 Credential=x',
  repeated(' ', 100_000),
  repeated('x', 256),
  repeated('x', 100_000),
  repeated('a,', 50_000),
];

/** Query strings for a parameter. */
export function hostileQueries(name: string): string[] {
  const values = [
    '',
    '1e2',
    '0x10',
    '１０',
    '-0',
    '+1',
    '01',
    '1.0',
    ' 1',
    '1%00',
    'NaN',
    'Infinity',
    'null',
    'true',
    '9'.repeat(400),
  ];
  const others = [
    '%',
    '%zz',
    '%c3%28',
    '%ED%A0%80',
    '%00',
    '__proto__',
    'constructor',
    '-',
    '--created_at',
    'x'.repeat(10_000),
  ];
  const dates = [
    '2026-02-30T00:00:00Z',
    '10000-01-01T00:00:00Z',
    '%2B275760-09-13T00:00:00Z',
    '0000-01-01T00:00:00%2B14:00',
  ];
  return [
    ...[...values, ...others, ...dates].map((value) => `${name}=${value}`),
    name,
    `${name}=1&${name}=2`,
    `${name}[]=1`,
    `${name}[0]=1`,
    `${name}.a=1`,
    `${name}=1;${name}=2`,
    `?${name}=1`,
    `=1&&&=&${name}`,
    `__proto__=1&__proto__[${name}]=1&constructor=2`,
    Array.from({ length: 2_000 }, (_, index) => `${name}${index}=1`).join('&'),
  ];
}

export const hostileHeaders = [
  'x-app-id',
  'x-app-token',
  'authorization',
  'idempotency-key',
  'accept',
  'x-forwarded-proto',
  'x-forwarded-for',
  'x-forwarded-host',
  'host',
  'x-management-id',
  'x-management-token',
  'content-length',
  'transfer-encoding',
  'cookie',
  'user-agent',
] as const;
