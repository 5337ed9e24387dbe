import { isDeepStrictEqual } from 'node:util';
import { BatchWriteCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { Dependencies } from '../../lib/http/composition.ts';
import { type Key, keyOf, keyText } from '../../lib/table/keys.ts';
import { Table } from '../../lib/table/table.ts';
import type { SentCommand } from './commands.ts';
import { testDependencies } from './dependencies.ts';
import { type Call, isWrite } from './faults.ts';
import { changesToOffered, isOfOffered } from './offered.ts';

type Item = Record<string, unknown>;

/** All items of a table, by their keys. */
export type State = ReadonlyMap<string, Item>;

type Place = Pick<Dependencies, 'dynamodb' | 'tableName'>;

/** DynamoDB takes 25 writes a BatchWriteItem. */
const writesAtOnce = 25;

/** Of a table of the test's own, for it reads all of it. */
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

/** Of a call's body, as it goes to the table. */
interface Written {
  Item?: Record<'pk' | 'sk', { S: string }>;
  Key?: Record<'pk' | 'sk', { S: string }>;
}

export function keysWritten({ operation, body }: Call): Key[] {
  if (!isWrite({ operation })) return [];
  const { TransactItems } = body as { TransactItems?: Record<string, Written>[] };
  const all = TransactItems ? TransactItems.flatMap((item) => Object.values(item)) : [body as Written];
  return all.flatMap(({ Item, Key = Item }) => {
    if (!Key) throw new Error(`what ${operation} writes is not known`);
    return [{ pk: Key.pk.S, sk: Key.sk.S }];
  });
}

/** What a command of the document client has written, or looked at to write. */
export function keysIn({ name, input }: SentCommand): Key[] {
  const { TransactItems } = input as { TransactItems?: Record<string, { Item?: Key; Key?: Key }>[] };
  const all = TransactItems
    ? TransactItems.flatMap((item) => Object.values(item))
    : [input as { Item?: Key; Key?: Key }];
  return all.map(({ Item, Key = Item }) => {
    if (!Key) throw new Error(`what ${name} writes is not known`);
    return { pk: Key.pk, sk: Key.sk };
  });
}

/** What a state has become by these calls, and nothing else: as good as all of the table, and read in one call. */
export function readWritten(place: Place, state: State, calls: readonly Call[]): Promise<State> {
  return readKeys(place, state, calls.flatMap(keysWritten));
}

/** What a state has become where only these keys were written. */
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

/** Makes the table what it was; `current`: what it is. */
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

/** Kinds of the items of the file's table that are not as they were before it ran. */
export async function changedBy(run: () => Promise<void>): Promise<string[]> {
  const before = await readState(testDependencies());
  await run();
  const after = await readState(testDependencies());
  const keys = [...new Set([...before.keys(), ...after.keys()])];
  const changed = keys.filter((key) => !isDeepStrictEqual(before.get(key), after.get(key)));
  // Of items without a kind their keys say what they are.
  return changed.map((key) => String((after.get(key) ?? before.get(key))?.kind ?? /(\w+)#[^#]*$/.exec(key)?.[1]));
}

/** What assets are called, ids, UUIDs, 256 bits of whatever, and codes that the demo project draws. */
const drawn =
  /(?<=proj_\w+\.)[\w-]{40,}|[a-z]+_[\w-]{22,}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|~?[\w-]{43}|(?:CREW|QUAY)-\w{6}/g;
/** Follows from the id: the part of what is due, of a list. Of what a campaign counts in a day it is drawn by lot. */
const shard = /("DUE|"gsi\dpk":"[^"]*|"pk":"[^"]*#CAMPAIGN_DAYS#[^"]*)#\d+"/g;

/** Maps of the table have no order, nor has a reply that was kept as a text while its fields came from them. */
function sorted(value: unknown): unknown {
  if (typeof value === 'string' && /^[{[]/.test(value)) return JSON.stringify(sorted(JSON.parse(value)));
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, inner]) => [name, sorted(inner)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

function isShared({ kind, type }: Item): boolean {
  return kind === 'PROMOTION_TIER' || (kind === 'VOUCHER' && type !== 'LOYALTY_CARD');
}

/** As the item is once its holds have lapsed: those of redemptions that are there stay counted, the others are given back. */
function afterHolds(item: Item, state: State): Item {
  const after = { ...item };
  // The first hold on a shared item has it looked at within the hour, whether or not the hold is left.
  if (isShared(item)) {
    delete after.dueAt;
    delete after.dueShard;
  }
  for (const [name, hold] of Object.entries(item)) {
    const id = /^hold (.+)/.exec(name)?.[1];
    if (id === undefined) continue;
    delete after[name];
    if ([...state.values()].some(({ kind, id: own }) => kind === 'REDEMPTION' && own === id)) continue;
    for (const [attribute, by] of Object.entries((hold as { by: Record<string, number> }).by)) {
      const left = Number(after[attribute] ?? 0) - by;
      if (left === 0) delete after[attribute];
      else after[attribute] = left;
    }
  }
  return after;
}

/** Bytes that were sealed with a nonce of their own. */
const sealed = /"sealed":\{[^}]*\}/;

/** Codes of the vouchers that a run has made: a campaign without free codes draws one. */
function codesMade(from: State, state: State): ReadonlySet<string> {
  const made = [...state].filter(([key, { kind }]) => kind === 'VOUCHER' && !from.has(key));
  return new Set(made.map(([, { code }]) => String(code)));
}

/**
 * What runs from one state have in common: texts in which `*` stands for whatever a run has drawn by lot. Codes are drawn freely, so
 * a text of them needs the state that the run left: a code that no voucher of it has stays as it is, and shows.
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
    /** What has become of the state: each item that is new, changed or gone, but for those of a kind. */
    changesTo: (state: State, but?: string): string[] => {
      const codes = codesMade(from, state);
      const others = [...state].filter(([, item]) => !isOfOffered(item));
      const settled = others.map(([key, item]) => [key, afterHolds(item, state)] as const);
      const changed = settled.filter(([key, item]) => item.sk !== but && !isDeepStrictEqual(item, from.get(key)));
      const gone = [...from].flatMap(([key, item]) => (state.has(key) || isOfOffered(item) ? [] : [`gone: ${key}`]));
      const offered = changesToOffered(from, state).map((one) => masked(one, codes));
      return [...changed.map(([, item]) => masking(codes)(item)), ...gone, ...offered].sort();
    },
  };
}
