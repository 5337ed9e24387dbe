import { handler } from '../../functions/qualifications/qualify.ts';
import { caller } from './call.ts';
import { loadProject } from './project.ts';

export const day = (number: number) => `2026-05-${String(number).padStart(2, '0')}T00:00:00.000Z`;
export const off = (amount_off: number) => ({ type: 'AMOUNT', amount_off, effect: 'APPLY_TO_ORDER' });

/** Makes tiers, each a day younger than the previous tier. */
export const tiers = (...amounts: number[]) =>
  amounts.map((amount, index) => ({
    id: `promo_${index + 1}`,
    name: `Tier ${index + 1}`,
    campaign_id: 'camp_tiers',
    hierarchy: index + 1,
    action: { discount: off(amount) },
    created_at: day(index + 1),
  }));

export const spring = { id: 'camp_tiers', name: 'Spring', campaign_type: 'PROMOTION', type: 'STATIC' };

/** Returns a call that lists what qualifies. Its body is `usual` with the test's changes. */
export function asking(headers: Record<string, string>, usual: object = { order: { amount: 1_000 } }) {
  return async (body: object = {}) => {
    const reply = await caller(handler)({ headers, body: { ...usual, ...body } });
    const data = reply.body.redeemables?.data;
    return {
      ...reply,
      ids: data?.map(({ id }: { id: string }) => id),
      of: (id: string) => data?.find((one: { id: string }) => one.id === id),
    };
  };
}

export async function shop(lists: Record<string, unknown[]>) {
  const { credentials: headers } = await loadProject({ campaigns: [spring], ...lists });
  return asking(headers);
}
