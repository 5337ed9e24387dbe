import type * as v from 'valibot';
import { type Attributes, parseStored } from './item.ts';
import type { Key } from './keys.ts';
import type { ChildKind, ItemKey } from './kind.ts';
import type { Table } from './table.ts';

type Wanted = ItemKey | undefined | readonly (ItemKey | undefined)[];

type FoundBy<W> = W extends readonly (infer K)[]
  ? FoundBy<K>[]
  : W extends ItemKey<infer S>
    ? v.InferOutput<S> | undefined
    : undefined;

function parsed(key: ItemKey | undefined, item: Attributes | undefined) {
  return key && item && parseStored(key.schema, item);
}

/**
 * Reads named keys in a single call (DynamoDB accepts 100 keys and 16 MB a call), together with simultaneous reads of
 * the request. Parses each item by its key's schema. Missing, expired and deleted items are `undefined`.
 */
export async function read<const W extends Readonly<Record<string, Wanted>>>(
  table: Pick<Table, 'getMany'>,
  wanted: W,
): Promise<{ [N in keyof W]: FoundBy<W[N]> }> {
  const isMany = (some: Wanted): some is readonly (ItemKey | undefined)[] => Array.isArray(some);
  const keys = Object.values(wanted)
    .flatMap((some) => (isMany(some) ? some : [some]))
    .filter((key) => key !== undefined);
  const items = keys.length === 0 ? [] : await table.getMany(keys);
  let next = 0;
  const take = (key: ItemKey | undefined) => (key === undefined ? undefined : parsed(key, items[next++]));
  const found = Object.entries(wanted).map(([name, some]) => [name, isMany(some) ? some.map(take) : take(some)]);
  return Object.fromEntries(found);
}

/** Reads the items of a list's entries in one call, parsed as items of their kind. Missing, expired and deleted items are `undefined`. */
export async function readItemsOf<S extends v.GenericSchema>(
  table: Pick<Table, 'getMany'>,
  { schema }: { readonly schema: S },
  entries: readonly { readonly key: Key }[],
): Promise<(v.InferOutput<S> | undefined)[]> {
  const items = await table.getMany(entries.map(({ key }) => key));
  return items.map((item) => item && parseStored(schema, item));
}

/** Reads all children of a parent in the order of their ids. `ids` lead to the parent. */
export async function readChildren<S extends v.GenericSchema, P extends readonly string[]>(
  table: Pick<Table, 'query'>,
  children: ChildKind<S, P>,
  projectId: string,
  ...ids: P
): Promise<v.InferOutput<S>[]> {
  const items = await table.query(children.all(projectId, ...ids));
  return items.filter(({ deleted_at }) => deleted_at === undefined).map((item) => parseStored(children.schema, item));
}

/** Walks over children page by page, in either direction, beginning after one of them. */
export async function* walkChildren<S extends v.GenericSchema, P extends readonly string[]>(
  table: Pick<Table, 'pages'>,
  children: ChildKind<S, P>,
  parent: readonly [projectId: string, ...ids: P],
  { descending = false, behind, atOnce }: { descending?: boolean; behind?: string | undefined; atOnce?: number },
): AsyncGenerator<v.InferOutput<S>> {
  const { partition, from, to } = children.all(...parent);
  const cursor = behind === undefined ? undefined : children(...parent, behind).sk;
  const range = descending ? { from, to: cursor ?? to } : { from: cursor ?? from, to };
  for await (const page of table.pages({
    partition,
    descending,
    ...range,
    ...(atOnce === undefined ? {} : { atOnce }),
  })) {
    for (const item of page) {
      if (item.sk !== cursor && item.deleted_at === undefined) yield parseStored(children.schema, item);
    }
  }
}

/** Reads the children of a parent between two keys, both included. */
export async function readBetween<S extends v.GenericSchema>(
  table: Pick<Table, 'query'>,
  from: ItemKey<S>,
  to: ItemKey<S>,
  { descending = false } = {},
): Promise<v.InferOutput<S>[]> {
  const items = await table.query({ partition: from.pk, from: from.sk, to: to.sk, descending });
  return items.map((item) => parseStored(from.schema, item));
}
