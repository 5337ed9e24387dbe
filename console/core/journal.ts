/** Turns closes of points into dates and lines of a journal. */

/** Writes a moment as a day of the project's own time zone. */
function dayIn(iso: string, timezone: string): string {
  const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: timezone });
  return format.format(new Date(iso));
}

interface Period {
  readonly from: string;
  readonly at: string;
  readonly timezone: string;
}

/** Returns the days that a close covers. Its end is excluded, so the last day is the day before. */
export function writeCloseDates({ from, at, timezone }: Period): string {
  const last = new Date(new Date(at).getTime() - 1).toISOString();
  return `${dayIn(from, timezone)} – ${dayIn(last, timezone)}`;
}

type Account = 'contract_liability' | 'revenue_from_sales' | 'revenue_from_points';

export interface SettledMonth {
  readonly month: string;
  readonly liability: { readonly deferred: number; readonly redeemed: number; readonly caught_up: number } | null;
}

export interface JournalLine {
  readonly month: string;
  readonly reason: 'deferred' | 'redeemed' | 'caught_up';
  readonly account: Account;
  readonly debit: number;
  readonly credit: number;
}

const accounts = {
  deferred: ['revenue_from_sales', 'contract_liability'],
  redeemed: ['contract_liability', 'revenue_from_points'],
  caught_up: ['contract_liability', 'revenue_from_points'],
} as const;

/** Returns the lines of the journal, as in the file: a debit and a credit for each amount, and no lines for 0. */
export function listJournal(months: readonly SettledMonth[]): JournalLine[] {
  return months.flatMap(({ month, liability }) => {
    if (!liability) return [];
    return (['deferred', 'redeemed', 'caught_up'] as const).flatMap((reason): JournalLine[] => {
      const amount = liability[reason];
      if (amount === 0) return [];
      const [debit, credit] = amount > 0 ? accounts[reason] : accounts[reason].toReversed();
      const size = Math.abs(amount);
      return [
        { month, reason, account: debit ?? 'contract_liability', debit: size, credit: 0 },
        { month, reason, account: credit ?? 'contract_liability', debit: 0, credit: size },
      ];
    });
  });
}

/** Reads lines such as `2026-10 120000.00` as sales by month. Undefined if a line cannot be read. */
export function readSales(
  text: string,
  toMinorUnits: (amount: string) => number,
): { readonly month: string; readonly amount: number }[] | undefined {
  const lines = text.split('\n').flatMap((line) => line.trim() || []);
  const sales = lines.map((line) => /^(\d{4}-\d{2})[\s:;]+([\d.,'’]+)$/.exec(line));
  return sales.every((found) => found !== null)
    ? sales.map(([, month = '', amount = '']) => ({ month, amount: toMinorUnits(amount) }))
    : undefined;
}
