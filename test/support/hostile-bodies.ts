/** Bodies from an attacker of the service. */

/** Whole bodies, as text or as bytes in base64. They are not JSON, or JSON that no client would send. */
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
  'text that is not base64': { body: '%%%', isBase64Encoded: true },
};

/** Bodies about as long as a function accepts, or longer. */
export const hugeBodies: typeof hostileBodies = {
  '4 MB and one byte': { body: ' '.repeat(4 * 1024 * 1024 + 1) },
  '6 MB in base64': { body: 'ICAg'.repeat(2 * 1024 * 1024), isBase64Encoded: true },
  '4 MB of brackets': { body: '['.repeat(4 * 1024 * 1024) },
  'half a million numbers': { body: `[${'0,'.repeat(500_000)}0]` },
  '4 MB of escapes': { body: `{"a":"${'\\u0000'.repeat(690_000)}"}` },
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
  `grant_type=client_credentials&scope=${'vouchers+'.repeat(50_000)}vouchers`,
  `grant_type=client_credentials&scope=${'nothing+'.repeat(50_000)}nothing`,
  `access_token=${'x'.repeat(1_000_000)}`,
  'a=b&'.repeat(200_000),
  '%'.repeat(1_000_000),
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
  `application/${'a'.repeat(100_000)}`,
  `application/${'a+'.repeat(50_000)}json!`,
];
