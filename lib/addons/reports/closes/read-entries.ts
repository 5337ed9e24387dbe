import * as v from 'valibot';
import { type LedgerEntry, ledgerEntryKey } from '#engine/ledger/ledger-entry.ts';
import { parseStored } from '#kernel/table/item.ts';
import type { Table } from '#kernel/table/table.ts';
import type { ClosedEntry } from './sum-card.ts';

/** The entries that the first round reads of each card. Most cards have fewer in a month. */
const firstStep = 2;
const longestStep = 64;

/** The fields of an entry that a close needs. A schema with all fields is slower to parse. */
const closedEntry = v.object({
  type: v.custom<LedgerEntry['type']>((type) => typeof type === 'string'),
  points: v.number(),
  created_at: v.string(),
  lapsed: v.optional(v.array(v.object({ points: v.number(), expires: v.nullable(v.string()) }))),
});

const only = Object.keys(closedEntry.entries);

interface Ledgered {
  readonly id: string;
  readonly ledger_entries: number;
}

interface Reader {
  readonly card: Ledgered;
  readonly entries: ClosedEntry[];
  /** The number of the next entry to read. */
  next: number;
}

/**
 * Reads the ledgers of cards backwards from the entries that the cards had when they were read, down to `since`. Later
 * entries of a card do not matter, so a card that changes during the read gives the same result. Returns `undefined`
 * for a card without some entry, because the card is being deleted.
 */
export async function readEntriesSince(
  table: Pick<Table, 'getMany'>,
  projectId: string,
  cards: readonly Ledgered[],
  since: string,
): Promise<(ClosedEntry[] | undefined)[]> {
  const readers = cards.map((card): Reader => ({ card, entries: [], next: card.ledger_entries }));
  const broken = new Set<Reader>();
  let open = readers.filter(({ next }) => next > 0);
  for (let step = firstStep; open.length > 0; step = Math.min(2 * step, longestStep)) {
    const wanted = open.flatMap((reader) => {
      const numbers = Array.from({ length: Math.min(step, reader.next) }, (_, index) => reader.next - index);
      return numbers.map((number) => ({ reader, key: ledgerEntryKey(projectId, reader.card.id, number) }));
    });
    const items = await table.getMany(
      wanted.map(({ key }) => key),
      { only },
    );
    for (const [index, { reader }] of wanted.entries()) {
      const item = items[index];
      if (item) reader.entries.push(parseStored(closedEntry, item));
      else broken.add(reader);
      reader.next -= 1;
    }
    open = open.filter(
      (reader) => reader.next > 0 && !broken.has(reader) && (reader.entries.at(-1)?.created_at ?? '') >= since,
    );
  }
  return readers.map((reader) => (broken.has(reader) ? undefined : reader.entries));
}
