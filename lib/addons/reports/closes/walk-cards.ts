import * as v from 'valibot';
import { voucherLists } from '#engine/ledger/codes/voucher-lists.ts';
import { splitIntoBatches } from '#kernel/table/batches.ts';
import { parseStored } from '#kernel/table/item.ts';
import { kind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { walkList } from '#kernel/table/listing.ts';
import type { Table } from '#kernel/table/table.ts';
import type { ClosePeriod } from './periods.ts';
import { readEntriesSince } from './read-entries.ts';
import { addCard, type ClosedCard, type CloseSums } from './sum-card.ts';

/** The cards that are read together, in simultaneous calls. */
const cardsAtOnce = 1_000;

/**
 * The time by which an entry can be older than the entry before it. An entry has the time at which its request or run began, and a run of
 * a worker lasts 15 minutes at most.
 */
export const settledAfterInMs = 15 * 60_000;

/** The fields of a card that a close needs. A schema with all fields is slower to parse. */
const closedCard = v.object({
  id: v.string(),
  created_at: v.string(),
  lots: v.optional(v.array(v.object({ points: v.number(), expires: v.nullable(v.string()) })), []),
  ledger_entries: v.optional(v.number(), 0),
});

const closedCards = kind(kinds.voucher, closedCard);
const only = Object.keys(closedCard.entries);

interface Walk {
  readonly table: Table;
  readonly projectId: string;
  readonly campaignId: string;
  readonly periods: readonly ClosePeriod[];
  readonly lapseOf: (day: string) => number;
  readonly behind: string | undefined;
}

async function readCards(table: Table, projectId: string, ids: readonly string[]) {
  const items = await table.getMany(
    ids.map((id) => closedCards(projectId, id)),
    { only },
  );
  return items.flatMap((item) => (item ? [parseStored(closedCard, item)] : []));
}

/** Returns the cards with their entries. A deleted card has neither. */
async function readLedgers(
  { table, projectId, periods }: Walk,
  ids: readonly string[],
): Promise<{ card: ClosedCard; entries: Parameters<typeof addCard>[2] }[]> {
  const since = new Date((periods.at(0)?.from ?? 0) - settledAfterInMs).toISOString();
  const cards = await readCards(table, projectId, ids);
  const ledgers = await readEntriesSince(table, projectId, cards, since);
  const found = cards.map((card, index) => ({ card, entries: ledgers[index] }));
  const broken = found.filter(({ entries }) => entries === undefined).map(({ card }) => card.id);
  const [left] = broken.length === 0 ? [] : await readCards(table, projectId, broken);
  if (left) throw new Error(`the ledger of the card ${left.id} lacks an entry`);
  return found.flatMap(({ card, entries }) => (entries ? [{ card, entries }] : []));
}

/** Adds the cards of a programme to the sums, batch by batch. Yields the place after which the walk continues. */
export async function* sumCards(walk: Walk, sums: CloseSums): AsyncGenerator<string> {
  const { table, projectId, campaignId, periods, lapseOf, behind } = walk;
  // Some stored times lack milliseconds, and sort after times of the same second.
  const to = new Date((periods.at(-1)?.to ?? 0) + 1_000).toISOString();
  const owner = [projectId, campaignId] as const;
  const entries = walkList(table, voucherLists.ofCampaign, owner, { behind, to, atOnce: cardsAtOnce });
  for await (const batch of splitIntoBatches(entries, cardsAtOnce)) {
    const ids = batch.map(({ listed }) => String(listed.id));
    for (const { card, entries } of await readLedgers(walk, ids)) addCard(sums, card, entries, { periods, lapseOf });
    yield batch.at(-1)?.at ?? '';
  }
}
