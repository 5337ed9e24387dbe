import { expect, test } from 'vitest';
import { faultsOf, projectFile } from './project.ts';

/** Entries of project files, as they are right. */

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

/** What a file has, and each fault that it is refused for; none where it is right. */
type Row = [what: string, lists: Record<string, unknown>, faults: string[]];

export function refuses(rows: readonly Row[]): void {
  test.each(rows)('a file is refused, by name of the place, for %s', async (_, lists, faults) => {
    expect([...(await faultsOf(projectFile(lists)))].sort()).toEqual(faults.toSorted());
  });
}
