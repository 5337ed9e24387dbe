import * as v from 'valibot';

/** Chooses and cleans stored items, one of each kind, so that a later release can be held against them. */

export type Wire = Readonly<Record<string, unknown>>;

const text = v.object({ S: v.string() });

function textOf(value: unknown): string {
  return v.is(text, value) ? value.S : '';
}

/** Names the kind of a stored item: the name in its sort key, and what the item says of itself. */
export function nameOfItem(item: Wire): string {
  const [name = ''] = textOf(item.sk).split('#');
  const kind = textOf(item.kind);
  return kind === '' || kind === name ? name : `${name} ${kind}`;
}

const secretNames = /secret|token|sealed|hash/i;
const anyTime = '2026-06-15T12:00:00.000Z';
const anyDay = '2026-06-15';
const anySeconds = '1781524800';
const anyUuid = '00000000-0000-4000-8000-';

/** Replaces what a run draws or looks up on the clock. Equal texts become equal texts. */
function cleanText(value: string, known: Map<string, string>): string {
  const drawn = (prefix: string, whole: string) => {
    const found = known.get(whole) ?? `${prefix}${known.size + 1}`;
    known.set(whole, found);
    return found;
  };
  return value
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z/g, anyTime)
    .replace(/\b20\d\d-\d\d-\d\d\b(?!T)/g, anyDay)
    .replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, (whole) => `${anyUuid}${drawn('', whole).padStart(12, '0')}`)
    .replace(/~[\w-]{43}/g, (whole) => drawn('~', whole))
    .replace(/(?<![\w-])[\w-]{43}(?![\w])/g, (whole) => drawn('digest', whole))
    .replace(/\bsmoke-[\da-f]{12}/g, 'smoke')
    .replace(/\bCREW-[A-Za-z\d]{5,8}\b/g, 'CREW-DRAWN')
    .replace(/\b(DUE|LANE)#\d+/g, '$1#0')
    .replace(/\btrack_[\w/+=-]+/g, 'track_drawn')
    .replace(/(#(?:COUNTED|LIST)#.*)#\d+$/g, '$1#0')
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:3000')
    .replace(/\b([a-z]{1,6}_)[\w-]{16,}/g, (whole, prefix: string) => drawn(prefix, whole))
    .replace(/\b[\da-f]{32,64}\b/g, (whole) => drawn('digest', whole));
}

function clean(value: unknown, name: string, known: Map<string, string>): unknown {
  if (Array.isArray(value)) return value.map((one) => clean(one, name, known));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => {
        if (typeof one === 'string' && key === 'S') {
          if (name === 'sequence') return [key, '1'];
          return [key, secretNames.test(name) ? 'x'.repeat(one.length) : cleanText(one, known)];
        }
        if (typeof one === 'string' && key === 'B') return [key, Buffer.from('sealed').toString('base64')];
        if (typeof one === 'string' && key === 'N')
          return [
            key,
            one.replace(/^1[789]\d{8}(\d{3})?$/, (_, ms) => (ms === undefined ? anySeconds : `${anySeconds}000`)),
          ];
        return [key, clean(one, key.length > 1 ? key : name, known)];
      }),
  );
}

/** Returns the fullest item of each kind, cleaned, in the order of the kinds. */
export function oneOfEach(images: Iterable<Wire>): Record<string, unknown> {
  const fullest = new Map<string, { item: Wire; score: string }>();
  for (const item of images) {
    const name = nameOfItem(item);
    const cleaned = JSON.stringify(clean(item, '', new Map()));
    const score = `${String(Object.keys(item).length).padStart(3, '0')} ${cleaned}`;
    if (score > (fullest.get(name)?.score ?? '')) fullest.set(name, { item, score });
  }
  return Object.fromEntries(
    [...fullest].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, { item }]) => [name, clean(item, '', new Map())]),
  );
}
