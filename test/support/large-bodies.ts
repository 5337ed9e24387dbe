import type { Request } from './api-event.ts';
import { planted } from './hostile-json.ts';

/** Makes bodies of up to 4 MB that cause as much work as possible. */

/** One call: the filling of one place in an otherwise accepted body. */
export interface LargeCase {
  readonly operation: string;
  readonly request: Request;
  readonly place: readonly (string | number)[];
  readonly filling: string;
  readonly bytes: number;
}

export interface LargePlan {
  readonly endpoint: string;
  readonly tableName: string;
  readonly now: string;
  readonly cases: readonly LargeCase[];
}

type Fill = (bytes: number, there: unknown) => string;

/** Repeats the piece between the brackets. */
function repeated(piece: (index: number) => string, bytes: number, [open, close]: readonly [string, string]): string {
  const pieces: string[] = [];
  for (let length = 2; length < bytes; length += (pieces.at(-1)?.length ?? 0) + 1) pieces.push(piece(pieces.length));
  return open + pieces.join(',') + close;
}

const list = ['[', ']'] as const;
const object = ['{', '}'] as const;

const cartLines = 500;

/** Fills an order with the most lines, each with a share of the bytes. */
function cart(bytes: number, character: string): string {
  const { length } = JSON.stringify(character);
  const text = character.repeat(Math.max(0, Math.floor((bytes / cartLines - 60) / (length - 2))));
  const line = { quantity: 2, price: 1_000, metadata: { text } };
  return JSON.stringify({ items: Array(cartLines).fill(line) });
}

/** Each returns JSON of about that many bytes. */
export const fillings: Readonly<Record<string, Fill>> = {
  'a text': (bytes) => JSON.stringify('x'.repeat(bytes)),
  quotes: (bytes) => JSON.stringify('"'.repeat(bytes / 2)),
  'letters of two bytes': (bytes) => JSON.stringify('é'.repeat(bytes / 2)),
  'empty objects': (bytes) => repeated(() => '{}', bytes, list),
  'empty lists': (bytes) => repeated(() => '[]', bytes, list),
  zeros: (bytes) => repeated(() => '0', bytes, list),
  'short texts': (bytes) => repeated((index) => `"k${index}"`, bytes, list),
  keys: (bytes) => repeated((index) => `"k${index}":1`, bytes, object),
  'keys of objects': (bytes) => repeated((index) => `"k${index}":{}`, bytes, object),
  'objects within each other': (bytes) => '{"a":'.repeat(bytes / 6) + 1 + '}'.repeat(bytes / 6),
  'metadata of a long text': (bytes) => JSON.stringify({ text: 'x'.repeat(bytes) }),
  'metadata of quotes': (bytes) => JSON.stringify({ text: '"'.repeat(bytes / 2) }),
  'an existing value, over and over': (bytes, there) => {
    const piece = JSON.stringify((Array.isArray(there) ? there[0] : there) ?? {});
    return repeated(() => piece, bytes, list);
  },
  'a cart': (bytes) => cart(bytes, 'x'),
  'a cart of quotes': (bytes) => cart(bytes, '"'),
};

/** Each returns the text of a file of about that many bytes. `there` is the otherwise accepted file. */
export const fileFillings: Readonly<Record<string, (bytes: number, there: string) => string>> = {
  commas: (bytes) => ','.repeat(bytes),
  semicolons: (bytes) => ';'.repeat(bytes),
  quotes: (bytes) => '"'.repeat(bytes),
  'line ends': (bytes) => '\n'.repeat(bytes),
  'lines of a letter': (bytes) => 'a\n'.repeat(bytes / 2),
  'lines of commas': (bytes) => `${','.repeat(499)}\n`.repeat(bytes / 500),
  'its row, over and over': (bytes, there) => {
    const [header = '', row = ''] = there.split(/\r?\n/);
    return `${header}\n${`${row}\n`.repeat(bytes / (row.length + 1))}`;
  },
  'a row of one cell': (bytes, there) => `${there.split(/\r?\n/)[0]}\n${'x'.repeat(bytes)}\n`,
};

function valueAt(body: unknown, place: LargeCase['place']): unknown {
  return place.reduce<unknown>((value, step) => Object(value)[step], body);
}

/** Returns the request with its final body. */
export function largeRequest({ request, place, filling, bytes }: LargeCase): Request {
  const ofFile = fileFillings[filling];
  if (place[0] === 'file' && ofFile) {
    return { ...request, body: { file: ofFile(bytes, String(valueAt(request.body, place))) } };
  }
  const fill = fillings[filling];
  if (!fill) throw new Error(`no filling is called ${filling}`);
  const body = planted(request.body, place, fill(bytes, valueAt(request.body, place)));
  return { ...request, headers: { ...request.headers, 'content-type': 'application/json' }, body };
}
