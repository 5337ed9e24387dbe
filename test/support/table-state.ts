import { isDeepStrictEqual } from 'node:util';
import { BatchWriteCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { findHold, holdsStanding, holdsTaken, isHoldNumber } from '#engine/holds/items/hold-item.ts';
import type { Dependencies } from '#kernel/http/composition.ts';
import { type Key, keyOf, keyText } from '#kernel/table/keys.ts';
import { Table } from '#kernel/table/table.ts';
import { isFence } from '#kernel/table/tombstone.ts';
import type { SentCommand } from './commands.ts';
import { testDependencies } from './dependencies.ts';
import { type Call, isWrite } from './faults.ts';
import { changesToOffered, isOfOffered } from './offered.ts';

type Item = Record<string, unknown>;

/** All items of a table by their keys. */
export type State = ReadonlyMap<string, Item>;

type Place = Pick<Dependencies, 'dynamodb' | 'tableName'>;

/** DynamoDB accepts 25 writes per BatchWriteItem. */
const writesAtOnce = 25;

/** Reads all items of the table, so use it only with a table of the test's own. */
export async function readState({ dynamodb, tableName }: Place): Promise<State> {
  const state = new Map<string, Item>();
  let start: Item | undefined;
  do {
    const page = await dynamodb.send(
      new ScanCommand({ TableName: tableName, ConsistentRead: true, ...(start ? { ExclusiveStartKey: start } : {}) }),
    );
    for (const item of page.Items ?? []) state.set(keyText(keyOf(item)), item);
    start = page.LastEvaluatedKey;
  } while (start);
  return state;
}

/** The body of a call as the engine receives it. */
interface Written {
  Item?: Record<'pk' | 'sk', { S: string }>;
  Key?: Record<'pk' | 'sk', { S: string }>;
}

export function keysWritten({ operation, body }: Call): Key[] {
  if (!isWrite({ operation })) return [];
  const { TransactItems } = body as { TransactItems?: Record<string, Written>[] };
  const all = TransactItems ? TransactItems.flatMap((item) => Object.values(item)) : [body as Written];
  return all.flatMap(({ Item, Key = Item }) => {
    if (!Key) throw new Error(`${operation} writes items that this test kit does not know`);
    return [{ pk: Key.pk.S, sk: Key.sk.S }];
  });
}

/** Returns the keys that a command of the document client writes or checks. */
export function keysIn({ name, input }: SentCommand): Key[] {
  const { TransactItems } = input as { TransactItems?: Record<string, { Item?: Key; Key?: Key }>[] };
  const all = TransactItems
    ? TransactItems.flatMap((item) => Object.values(item))
    : [input as { Item?: Key; Key?: Key }];
  return all.map(({ Item, Key = Item }) => {
    if (!Key) throw new Error(`${name} writes items that this test kit does not know`);
    return { pk: Key.pk, sk: Key.sk };
  });
}

/** Returns the state after these calls, without reading the rest of the table. It makes one call. */
export function readWritten(place: Place, state: State, calls: readonly Call[]): Promise<State> {
  return readKeys(place, state, calls.flatMap(keysWritten));
}

/** Returns the state after writes to these keys alone. */
export async function readKeys({ dynamodb, tableName }: Place, state: State, keys: readonly Key[]): Promise<State> {
  const found = await new Table(dynamodb, tableName, new Date(0)).getMany(keys, { deletedToo: true });
  const now = new Map(state);
  for (const [index, key] of keys.entries()) {
    const item = found[index];
    if (item) now.set(keyText(key), item);
    else now.delete(keyText(key));
  }
  return now;
}

/** Restores the table. `current` is its present state. */
export async function restoreState({ dynamodb, tableName }: Place, state: State, current: State): Promise<void> {
  const writes = [
    ...[...current].flatMap(([key, item]) => (state.has(key) ? [] : [{ DeleteRequest: { Key: keyOf(item) } }])),
    ...[...state].flatMap(([key, Item]) =>
      isDeepStrictEqual(Item, current.get(key)) ? [] : [{ PutRequest: { Item } }],
    ),
  ];
  for (let from = 0; from < writes.length; from += writesAtOnce) {
    const some = writes.slice(from, from + writesAtOnce);
    await dynamodb.send(new BatchWriteCommand({ RequestItems: { [tableName]: some } }));
  }
}

/** Runs the function and returns the kinds of the items that it changed in the file's table. */
export async function changedBy(run: () => Promise<void>): Promise<string[]> {
  const before = await readState(testDependencies());
  await run();
  const after = await readState(testDependencies());
  const keys = [...new Set([...before.keys(), ...after.keys()])];
  const changed = keys.filter((key) => !isDeepStrictEqual(before.get(key), after.get(key)));
  // An item without a kind has its kind in its keys.
  return changed.map((key) => String((after.get(key) ?? before.get(key))?.kind ?? /(\w+)#[^#]*$/.exec(key)?.[1]));
}

/** Matches drawn text: names of assets, ids, UUIDs, 256-bit values, and codes of the demo project. */
const drawn =
  /whsec_[\w+/]{43}=|(?<=proj_\w+\.)[\w-]{40,}|[a-z]+_[\w-]{22,}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|~?[\w-]{43}|(?:CREW|QUAY)-\w{6}/g;
/** Matches the shard of a due or list item, which follows from the id. Counts of a campaign's day draw it by lot. */
const shard = /("DUE(?:_DELIVERIES)?|"gsi\dpk":"[^"]*|"pk":"[^"]*#CAMPAIGN_DAYS#[^"]*)#\d+"/g;

/** Compares keys. Keys that a run draws by lot come first, whatever they are. */
function compareKeys([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  const [a, b] = [one, other].map((name) => `${name.replace(drawn, '*')} ${name}`);
  return (a ?? '') < (b ?? '') ? -1 : 1;
}

/** Sorts keys: maps of the table have no order. A reply that was stored as text keeps its own order. */
function sorted(value: unknown): unknown {
  if (typeof value === 'string' && /^[{[]/.test(value)) return JSON.stringify(sorted(JSON.parse(value)));
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, inner]) => [name, sorted(inner)] as const)
      .sort(compareKeys),
  );
}

function isShared({ kind, type }: Item): boolean {
  return kind === 'PROMOTION_TIER' || (kind === 'VOUCHER' && type !== 'LOYALTY_CARD');
}

/** Drops counts of 0 from a shared item: a count that was taken and given back is 0, and was absent before. */
function withoutZeros(item: Item): Item {
  return isShared(item) ? Object.fromEntries(Object.entries(item).filter(([, value]) => value !== 0)) : item;
}

/** Returns the item after its holds have lapsed. Holds of existing redemptions stay counted, and all others are released. */
function afterHolds(item: Item, state: State): Item {
  const after = { ...item };
  // The first hold schedules a check of the shared item within the hour. It runs even if the hold was released.
  if (isShared(item)) {
    delete after.dueAt;
    delete after.dueShard;
  }
  // The count of all holds only distinguishes them.
  for (const name of Object.keys(item)) if (name === holdsTaken || isHoldNumber(name)) delete after[name];
  // A lapsed hold is no longer counted as standing.
  const lapsed = Object.keys(item).filter((name) => name.startsWith('hold '));
  const standing = Number(item[holdsStanding] ?? 0) - lapsed.length;
  if (standing === 0) delete after[holdsStanding];
  else after[holdsStanding] = standing;
  for (const [name, hold] of Object.entries(item)) {
    const id = /^hold (.+)/.exec(name)?.[1];
    if (id === undefined) continue;
    delete after[name];
    const record = [...state.values()].find(({ kind, id: own }) => kind === 'REDEMPTION' && own === id);
    // The record has the numbers of its holds. A hold with another number is a late repetition, and does not count.
    const numbers = Object.values((record?.held ?? {}) as Record<string, number>);
    const own = findHold(item, id).no;
    if (record && (numbers.length === 0 || numbers.includes(own ?? 0))) continue;
    for (const [attribute, by] of Object.entries((hold as { by: Record<string, number> }).by)) {
      const left = Number(after[attribute] ?? 0) - by;
      if (left === 0) delete after[attribute];
      else after[attribute] = left;
    }
  }
  return after;
}

/** Leaves out how many holds there were before, which no caller sees. */
const withoutNumbers = ({ held: _, ...item }: Item): Item => item;

/** Leaves out tombstones, which only keep late inserts away. */
const withoutFences = (state: State): State => new Map([...state].filter(([, item]) => !isFence(item)));

/** Matches bytes that were sealed with different nonces. */
const sealed = /"sealed":\{[^}]*\}/;

/** Returns the codes of the vouchers that a run created. A campaign without free codes draws a code. */
function codesMade(from: State, state: State): ReadonlySet<string> {
  const made = [...state].filter(([key, { kind }]) => kind === 'VOUCHER' && !from.has(key));
  return new Set(made.map(([, { code }]) => String(code)));
}

/**
 * Makes runs from one state comparable: `*` replaces what a run draws by lot. Codes are drawn freely, so a code is replaced only if a
 * voucher of the new state has it. Any other code stays and is reported.
 */
export function comparable(from: State) {
  const known = new Set(JSON.stringify([...from]).match(drawn));
  const masked = (text: string, codes: ReadonlySet<string>) =>
    [...codes].reduce(
      (rest, code) => rest.replaceAll(code, '*'),
      text
        .replace(shard, '$1"')
        .replace(sealed, '"sealed":"*"')
        .replace(drawn, (id) => (known.has(id) ? id : '*')),
    );
  const masking = (codes: ReadonlySet<string>) => (value: unknown) =>
    masked(JSON.stringify(sorted(value)) ?? '', codes);
  return {
    textOf: (value: unknown, state: State = from) => masking(codesMade(from, state))(value),
    /** Returns each item that is new, changed or deleted, except the items of one kind. */
    changesTo: (found: State, but?: string): string[] => {
      const state = withoutFences(found);
      const codes = codesMade(from, state);
      const others = [...state].filter(([, item]) => !isOfOffered(item));
      const settled = others.map(
        ([key, item]) => [key, withoutNumbers(withoutZeros(afterHolds(item, state)))] as const,
      );
      const isAsBefore = (key: string, item: Item) =>
        isDeepStrictEqual(item, withoutNumbers(withoutZeros(from.get(key) ?? {})));
      const changed = settled.filter(([key, item]) => item.sk !== but && !isAsBefore(key, item));
      const gone = [...from].flatMap(([key, item]) => (state.has(key) || isOfOffered(item) ? [] : [`gone: ${key}`]));
      const offered = changesToOffered(from, state).map((one) => masked(one, codes));
      return [...changed.map(([, item]) => masking(codes)(item)), ...gone, ...offered].sort();
    },
  };
}
