import type * as v from 'valibot';
import { type Columns, columns, majorUnits } from '../../kit/exports/columns.ts';
import { exported } from '../../kit/exports/exported.ts';
import { voucherLists } from '../../ledger/codes/voucher-lists.ts';
import type { transaction } from '../../ledger/transaction.ts';
import { vouchersWithin } from './within.ts';

type Transaction = v.InferOutput<typeof transaction>;

const isOfMoney = ({ amount }: Transaction) => amount !== undefined;

const fields: Columns<Transaction> = {
  ...columns('id', 'campaign_id', 'voucher_id', 'type', 'source_id', 'reason', 'source'),
  balance: (one) => (isOfMoney(one) ? majorUnits(one.balance) : one.balance),
  amount: (one) => (isOfMoney(one) ? majorUnits(one.amount) : one.points),
  ...columns('related_transaction_id', 'created_at', 'details'),
};

/** Exports transactions card by card, from the first entry of each card. */
export const exportedTransactions = exported<Transaction>({
  object: 'voucher_transactions',
  list: voucherLists.created_at,
  within: vouchersWithin,
  read: async (context, batch) => (await import('./read-transactions.ts')).readExported(context, batch),
  fields,
  defaults: ['id', 'type', 'source_id', 'reason', 'source', 'balance', 'amount', 'created_at'],
  orders: ['created_at'],
  filters: { created_at: 'date', voucher_id: 'text', campaign_id: 'text' },
});
