import { expect, test } from 'vitest';
import { faultsOf, projectFile } from './project.ts';

/** Valid entries of project files. */

export const club = { id: 'camp_club', name: 'Club', campaign_type: 'LOYALTY_PROGRAM', type: 'STATIC' };
export const promotion = { id: 'camp_promo', name: 'Promo', campaign_type: 'PROMOTION', type: 'STATIC' };
export const coupon = { code: 'A', type: 'DISCOUNT_VOUCHER' };
export const card = (code: string, points: number) => ({ code, type: 'LOYALTY_CARD', loyalty_card: { points } });
export const tier = { campaign_id: 'camp_club', hierarchy: 1, name: 'T' };
export const level = (from: number, to?: number) => ({
  name: `From ${from}`,
  campaign_id: 'Club',
  points: { from, to },
});
export const reward = { name: 'Mug', type: 'MATERIAL', parameters: {} };

export const activity = (customer: object, more: object = {}, data: object = {}) => ({
  type: 'customer.confirmed',
  data: { data: { customer, ...data } },
  ...more,
});

/** The lists of a file, and each fault for which it is refused. A valid file has none. */
type Row = [what: string, lists: Record<string, unknown>, faults: string[]];

export function refuses(rows: readonly Row[]): void {
  test.each(rows)('a project file is refused, with the place of the fault, for %s', async (_, lists, faults) => {
    expect([...(await faultsOf(projectFile(lists)))].sort()).toEqual(faults.toSorted());
  });
}
