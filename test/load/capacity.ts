import { keyText } from '#kernel/table/keys.ts';
import type { Call } from '../support/faults.ts';

/** Counts the units that calls use of items and of index partitions, within DynamoDB's limits. */

/** DynamoDB gives one item, or one key of an index, this many units a second. A short burst beyond that is assumed. */
const perSecond = { write: 1_000, read: 3_000, burstInS: 0.2 } as const;

const bytesOf = { write: 1_024, read: 4_096 } as const;

type Use = keyof typeof bytesOf;
type Attribute = Record<string, { S?: string } | undefined>;

/** One request for units: the item or partition, and the units per KB (per 4 KB for reads). */
export interface Need {
  readonly use: Use;
  readonly of: string;
  readonly times: number;
  /** The size of the written item. Without it the item's last size counts. */
  readonly bytes?: number;
}

/** The units of one item or partition. They return as time passes. */
class Bucket {
  readonly #perSecond: number;
  #units: number;
  #at = performance.now();
  bytes = 1;

  constructor(unitsPerSecond: number) {
    this.#perSecond = unitsPerSecond;
    this.#units = unitsPerSecond * perSecond.burstInS;
  }

  has(units: number): boolean {
    const now = performance.now();
    const most = this.#perSecond * perSecond.burstInS;
    this.#units = Math.min(most, this.#units + ((now - this.#at) / 1_000) * this.#perSecond);
    this.#at = now;
    return this.#units >= Math.min(units, most);
  }

  take(units: number): void {
    this.#units -= units;
  }
}

/** Returns the kind of an item: names are long and random, and figures are wanted by kind. */
const kindOf = (of: string) => of.replace(/proj_[^#\n]*#?/, '').replace(/[#\n].*?([A-Z_]+)?$/s, ' $1');

export class Capacities {
  readonly #buckets = new Map<string, Bucket>();
  readonly #refused = new Map<string, number>();

  /** Takes all units, or none if one bucket lacks them. */
  take(needs: readonly Need[]): boolean {
    const asked = needs.map((need) => ({ need, bucket: this.#bucketOf(need) }));
    const lacking = asked.filter(({ need, bucket }) => !bucket.has(this.#unitsOf(need, bucket)));
    for (const { need } of lacking) {
      const kind = `${need.use} ${kindOf(need.of)}`;
      this.#refused.set(kind, (this.#refused.get(kind) ?? 0) + 1);
    }
    if (lacking.length > 0) return false;
    for (const { need, bucket } of asked) bucket.take(this.#unitsOf(need, bucket));
    return true;
  }

  /** Records the item's size, which the next read or write costs. */
  became(of: string, item: unknown): void {
    const bytes = JSON.stringify(item).length;
    for (const use of ['write', 'read'] as const) this.#bucketOf({ use, of }).bytes = bytes;
  }

  bytesOf(of: string): number {
    return this.#bucketOf({ use: 'write', of }).bytes;
  }

  /** Returns how often each kind of item or partition lacked units. */
  refused(): Record<string, number> {
    return Object.fromEntries([...this.#refused].sort(([, one], [, other]) => other - one).slice(0, 5));
  }

  #unitsOf({ use, times, bytes }: Need, bucket: Bucket): number {
    return Math.max(1, Math.ceil((bytes ?? bucket.bytes) / bytesOf[use])) * times;
  }

  #bucketOf({ use, of }: Pick<Need, 'use' | 'of'>): Bucket {
    const name = `${use} ${of}`;
    const bucket = this.#buckets.get(name) ?? new Bucket(perSecond[use]);
    this.#buckets.set(name, bucket);
    return bucket;
  }
}

const marshalledKey = (key: Attribute) => keyText({ pk: key.pk?.S ?? '', sk: key.sk?.S ?? '' });

interface Part {
  Item?: Attribute;
  Key?: Attribute;
  UpdateExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Attribute;
}

const indexKeys = ['gsi1pk', 'gsi2pk', 'gsi3pk', 'gsi4pk', 'dueShard'];

/** Returns the index partitions that a write touches: a put by its attributes, an update by the attributes it sets. */
function indexNeeds({ Item, UpdateExpression = '', ExpressionAttributeNames, ...part }: Part): Need[] {
  const set = Object.entries(ExpressionAttributeNames ?? {}).map(
    ([placeholder, name]): [string, string | undefined] => {
      const [, value] = new RegExp(`${placeholder} = (:v\\d+)`).exec(UpdateExpression) ?? [];
      return [name, value === undefined ? undefined : part.ExpressionAttributeValues?.[value]?.S];
    },
  );
  const values = Item ? indexKeys.map((name): [string, string | undefined] => [name, Item[name]?.S]) : set;
  return values.flatMap(([name, value]) =>
    indexKeys.includes(name) && value !== undefined
      ? [{ use: 'write', of: `${name} ${value}`, times: 1, bytes: 1 }]
      : [],
  );
}

/** A part of a transaction costs double. */
function writeNeeds(part: Part, times: number): Need[] {
  const key = part.Item ?? part.Key;
  const own: Need[] = key
    ? [
        {
          use: 'write',
          of: marshalledKey(key),
          times,
          ...(part.Item ? { bytes: JSON.stringify(part.Item).length } : {}),
        },
      ]
    : [];
  return [...own, ...indexNeeds(part)];
}

/** Returns the units of a call that writes. */
export function needsOfWrite({ operation, body }: Pick<Call, 'operation' | 'body'>): Need[] {
  if (operation !== 'TransactWriteItems') return writeNeeds(body as Part, 1);
  const { TransactItems = [] } = body as { TransactItems?: Record<string, Part>[] };
  return TransactItems.flatMap((one) => Object.values(one)).flatMap((part) => writeNeeds(part, 2));
}

interface Keys {
  Keys: Attribute[];
  ConsistentRead?: boolean;
}

/** An eventually consistent read costs half. */
const timesOf = (isConsistent: boolean | undefined) => (isConsistent ? 1 : 0.5);

/** Returns the units of each key that a call reads. Other calls need none. */
export function needsOfKeys({ operation, body }: Pick<Call, 'operation' | 'body'>): { key: Attribute; need: Need }[] {
  const need = (key: Attribute, isConsistent: boolean | undefined) => ({
    key,
    need: { use: 'read' as const, of: marshalledKey(key), times: timesOf(isConsistent) },
  });
  if (operation === 'GetItem') {
    const { Key = {}, ConsistentRead } = body as { Key?: Attribute; ConsistentRead?: boolean };
    return [need(Key, ConsistentRead)];
  }
  if (operation !== 'BatchGetItem') return [];
  const { RequestItems = {} } = body as { RequestItems?: Record<string, Keys> };
  return Object.values(RequestItems).flatMap(({ Keys: keys, ConsistentRead }) =>
    keys.map((key) => need(key, ConsistentRead)),
  );
}

/** Returns the units of a query: its partition, by the size of its last result. */
export function needOfQuery({ operation, body }: Pick<Call, 'operation' | 'body'>): Need | undefined {
  if (operation !== 'Query') return undefined;
  const {
    ExpressionAttributeValues = {},
    IndexName = '',
    ConsistentRead,
  } = body as Part & {
    IndexName?: string;
    ConsistentRead?: boolean;
  };
  const partition = ExpressionAttributeValues[':partition']?.S ?? '';
  return { use: 'read', of: `${IndexName} ${partition}`, times: timesOf(ConsistentRead) };
}
