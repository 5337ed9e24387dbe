import { type Column, formatMajorUnits } from '#kernel/kit/exports/columns.ts';
import { writeCsvLine } from '#kernel/kit/exports/csv-line.ts';
import type { CloseItem, CloseMonth } from './close.ts';
import { findJournalDay } from './settle-months.ts';

type Settled = Pick<CloseItem, 'id' | 'campaign_id' | 'campaign' | 'timezone' | 'months'>;

const statementColumns: Readonly<Record<string, Column<CloseMonth>>> = {
  Month: ({ month }) => month,
  From: ({ from }) => from,
  To: ({ to }) => to,
  'Opening Points': ({ points }) => points.opening,
  Corrected: ({ points }) => points.corrected,
  Opened: ({ points }) => points.opened,
  Earned: ({ points }) => points.earned,
  Spent: ({ points }) => points.spent,
  Returned: ({ points }) => points.returned,
  Expired: ({ points }) => points.expired,
  Adjusted: ({ points }) => points.adjusted,
  Transferred: ({ points }) => points.transferred,
  'Closing Points': ({ points }) => points.closing,
  'Estimate ID': ({ liability }) => liability?.estimate_id,
  'Opening Liability': ({ liability }, decimals) => formatMajorUnits(liability?.opening, decimals),
  Deferred: ({ liability }, decimals) => formatMajorUnits(liability?.deferred, decimals),
  'Revenue From Redemptions': ({ liability }, decimals) => formatMajorUnits(liability?.redeemed, decimals),
  'Revenue From Estimates': ({ liability }, decimals) => formatMajorUnits(liability?.caught_up, decimals),
  'Closing Liability': ({ liability }, decimals) => formatMajorUnits(liability?.closing, decimals),
};

/** Writes a line for each month of a close. */
export function writeStatement({ campaign_id, campaign, months }: Settled, decimals: number): string {
  const rows = months.map((month) => Object.values(statementColumns).map((cell) => cell(month, decimals)));
  return [
    ['Campaign ID', 'Campaign', ...Object.keys(statementColumns)],
    ...rows.map((row) => [campaign_id, campaign, ...row]),
  ]
    .map(writeCsvLine)
    .join('');
}

/** One entry of the journal has two lines, and moves an amount from one account to another. A negative amount moves back. */
interface JournalEntry {
  readonly debit: string;
  readonly credit: string;
  readonly amount: number;
  readonly text: string;
}

const liabilityAccount = 'contract_liability';

function entriesOf({ liability }: CloseMonth): JournalEntry[] {
  if (!liability) return [];
  const entries = [
    {
      debit: 'revenue_from_sales',
      credit: liabilityAccount,
      amount: liability.deferred,
      text: 'Part of sales deferred for points',
    },
    {
      debit: liabilityAccount,
      credit: 'revenue_from_points',
      amount: liability.redeemed,
      text: 'Revenue from redeemed points',
    },
    {
      debit: liabilityAccount,
      credit: 'revenue_from_points',
      amount: liability.caught_up,
      text: 'Change of the estimate for earlier redemptions',
    },
  ];
  return entries.filter(({ amount }) => amount !== 0);
}

/** Writes the journal: two lines for each amount, whose debits and credits are equal. */
export function writeJournal({ id, campaign_id, timezone, months }: Settled, decimals: number): string {
  const lines = months.flatMap((month) => {
    const day = findJournalDay(month, timezone);
    return entriesOf(month).flatMap(({ debit, credit, amount, text }) => {
      const [from, to] = amount > 0 ? [debit, credit] : [credit, debit];
      const size = formatMajorUnits(Math.abs(amount), decimals);
      const about = [text, campaign_id, id];
      return [
        [day, from, size, undefined, ...about],
        [day, to, undefined, size, ...about],
      ];
    });
  });
  return [['Date', 'Account', 'Debit', 'Credit', 'Text', 'Campaign ID', 'Close ID'], ...lines]
    .map(writeCsvLine)
    .join('');
}
