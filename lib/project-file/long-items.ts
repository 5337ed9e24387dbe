import * as v from 'valibot';
import { parseStored, type Table } from '../dynamodb.ts';
import { keys } from '../table.ts';
import { inBatches } from './batches.ts';
import { parseEntry } from './check.ts';
import type { Entry, LongList } from './entries.ts';
import { ProjectFileError } from './faults.ts';
import type { ItemWrite } from './item-write.ts';
import { readEntries } from './read-entries.ts';
import type { ItemMaker } from './to-items.ts';

const customerSourceItem = v.object({ customer_id: v.string() });

/** So many entries share the call that finds their customers: what DynamoDB takes in one. */
const entriesAtOnce = 100;

interface Source {
  path: string;
  table: Table;
  projectId: string;
  maker: ItemMaker;
}

type LongEntry = { [K in LongList]: { key: K; index: number; entry: Entry<K> } }[LongList];

/** The file was checked a moment ago; an entry that has changed since is refused. */
function parsed(key: LongList, index: number, value: unknown): LongEntry {
  const place = `${key}[${index}]`;
  function entryOf<K extends LongList>(list: K): Entry<K> {
    const { entry, faults } = parseEntry(list, value, place);
    if (entry === undefined) throw new ProjectFileError(faults, { partly: true });
    return entry;
  }
  if (key === 'vouchers') return { key, index, entry: entryOf(key) };
  if (key === 'customers') return { key, index, entry: entryOf(key) };
  if (key === 'activities') return { key, index, entry: entryOf(key) };
  return { key, index, entry: entryOf(key) };
}

async function* entriesOf(path: string, wanted: readonly LongList[]): AsyncGenerator<LongEntry> {
  for await (const read of readEntries(path)) {
    if (read.is === 'fault') throw new ProjectFileError([read.fault], { partly: true });
    if (read.is !== 'entry') continue;
    const key = wanted.find((list) => list === read.key);
    if (key !== undefined) yield parsed(key, read.index, read.value);
  }
}

/** The source id by which alone an entry knows its customer. */
function sourceIdOf({ key, entry }: LongEntry): string | undefined {
  if (key === 'customers') return entry.id === undefined ? (entry.source_id ?? undefined) : undefined;
  if (key !== 'activities') return undefined;
  const { id, source_id } = entry.data.data.customer;
  return id === undefined ? (source_id ?? undefined) : undefined;
}

async function customersBySource({ table, projectId }: Source, batch: LongEntry[]): Promise<Map<string, string>> {
  const sourceIds = [...new Set(batch.flatMap((read) => sourceIdOf(read) ?? []))];
  const items = await table.getMany(sourceIds.map((sourceId) => keys.customerSource(projectId, sourceId)));
  return new Map(
    sourceIds.flatMap((sourceId, index) => {
      const item = items[index];
      return item ? [[sourceId, parseStored(customerSourceItem, item).customer_id] as const] : [];
    }),
  );
}

/**
 * Reads the file again and makes items of the named long lists as they pass by. An activity is passed over as long as
 * the table does not know its customer; `onUnknownCustomer` learns of it.
 */
export async function* longItems(
  source: Source,
  wanted: readonly LongList[],
  onUnknownCustomer: (place: string) => void = () => {},
): AsyncGenerator<ItemWrite> {
  const { path, maker } = source;
  for await (const batch of inBatches(entriesOf(path, wanted), entriesAtOnce)) {
    const customers = await customersBySource(source, batch);
    for (const read of batch) {
      const { key, index, entry } = read;
      const knownId = customers.get(sourceIdOf(read) ?? '');
      if (key === 'vouchers') {
        yield* maker.voucher(entry, index);
      } else if (key === 'customers') {
        yield maker.customer(entry, index, knownId);
      } else if (key === 'activities') {
        const customerId = entry.data.data.customer.id ?? knownId;
        if (customerId === undefined) onUnknownCustomer(`activities[${index}]`);
        else yield maker.activity(entry, index, customerId);
      } else {
        yield maker.pendingPoints(entry);
      }
    }
  }
}
