import type * as v from 'valibot';
import { ledgerEntryKey } from '#engine/ledger/ledger-entry.ts';
import { presentTransaction, type transaction } from '#engine/ledger/transaction.ts';
import type { Showing } from '#kernel/http/context.ts';
import type { Entry } from '#kernel/table/listing.ts';
import { readBetween } from '#kernel/table/read.ts';
import type { VoucherItem } from '../voucher.ts';
import { readListedVouchers } from './read-vouchers.ts';

async function readLedger({ table, project }: Showing, card: VoucherItem) {
  const keyOf = (number: number) => ledgerEntryKey(project.id, card.id, number);
  const last = card.ledger_entries;
  return last > 0 ? readBetween(table, keyOf(1), keyOf(last)) : [];
}

/** Reads the ledgers of the cards among these vouchers. */
export async function readExportedTransactions(
  context: Showing,
  batch: readonly Entry[],
): Promise<v.InferOutput<typeof transaction>[]> {
  const cards = (await readListedVouchers(context, batch)).filter(({ type }) => type !== 'DISCOUNT_VOUCHER');
  const ledgers = await Promise.all(cards.map((card) => readLedger(context, card)));
  return ledgers.flat().map(presentTransaction);
}
