import type * as v from 'valibot';
import { voucherLists } from '#engine/ledger/codes/voucher-lists.ts';
import type { transaction } from '#engine/ledger/transaction.ts';
import { type ExportColumns, formatMajorUnits, plainColumns } from '#kernel/kit/exports/columns.ts';
import { describeExport } from '#kernel/kit/exports/exported-object.ts';
import { chooseVouchers } from './choose-vouchers.ts';

type Transaction = v.InferOutput<typeof transaction>;

const isOfMoney = ({ amount }: Transaction) => amount !== undefined;

const fields: ExportColumns<Transaction> = {
  ...plainColumns('id', 'campaign_id', 'voucher_id', 'type', 'source_id', 'reason', 'source'),
  balance: (one, decimals) => (isOfMoney(one) ? formatMajorUnits(one.balance, decimals) : one.balance),
  amount: (one, decimals) => (isOfMoney(one) ? formatMajorUnits(one.amount, decimals) : one.points),
  ...plainColumns('related_transaction_id', 'created_at', 'details'),
};

/** Exports transactions card by card, from the first entry of each card. */
export const exportedTransactions = describeExport<Transaction>({
  object: 'voucher_transactions',
  list: voucherLists.created_at,
  within: chooseVouchers,
  read: async (context, batch) => (await import('./read-transactions.ts')).readExportedTransactions(context, batch),
  fields,
  defaults: ['id', 'type', 'source_id', 'reason', 'source', 'balance', 'amount', 'created_at'],
  orders: ['created_at'],
  filters: { created_at: 'date', voucher_id: 'text', campaign_id: 'text' },
});
