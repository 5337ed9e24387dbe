import { type Cells, cellsIn, minor, whole } from './csv-rows.ts';

/** Sums the figures of each campaign, from the exports of a service. */

export type Sums = Map<string, number>;

function add(sums: Sums, name: string, amount: number): void {
  if (amount !== 0) sums.set(name, (sums.get(name) ?? 0) + amount);
}

function addVoucher(sums: Sums, cells: Cells): void {
  const of = `campaign ${cells.campaign ?? '(none)'}`;
  add(sums, `${of}: codes`, 1);
  add(sums, `${of}: redemptions`, whole(cells.redemption_count) ?? 0);
  add(sums, `${of}: credits`, minor(cells.gift_balance) ?? 0);
  add(sums, `${of}: points`, whole(cells.loyalty_balance) ?? 0);
}

/** Returns the sums of vouchers, and of points by their state and day of expiry. */
export async function sumsOf(vouchers: string, expirations: string, names: ReadonlyMap<string, string>): Promise<Sums> {
  const sums: Sums = new Map();
  for await (const cells of cellsIn(vouchers)) addVoucher(sums, cells);
  for await (const { campaign_id = '', status = '', expires_at, points } of cellsIn(expirations)) {
    const of = `campaign ${names.get(campaign_id) ?? '(none)'}`;
    add(sums, `${of}: ${status} points until ${expires_at?.slice(0, 10) ?? 'ever'}`, whole(points) ?? 0);
  }
  return sums;
}
