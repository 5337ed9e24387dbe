import { expect } from 'vitest';
import type { Endpoint } from '#kernel/http/operation.ts';
import { handler as assignHandler } from '../../functions/rewards/assign-reward.ts';
import { handler as createHandler } from '../../functions/rewards/create-reward.ts';
import type { Request } from './api-event.ts';
import { caller } from './call.ts';
import { programme } from './loyalty.ts';
import { loadProject } from './project.ts';

const lists = {
  campaigns: [
    programme('camp_club'),
    programme('camp_other'),
    { id: 'camp_codes', name: 'Codes', campaign_type: 'DISCOUNT_COUPONS', type: 'AUTO_UPDATE' },
    { id: 'camp_gift', name: 'Gifts', campaign_type: 'GIFT_VOUCHERS', type: 'AUTO_UPDATE' },
    { id: 'camp_promo', name: 'Promo', campaign_type: 'PROMOTION', type: 'AUTO_UPDATE' },
  ],
  products: [
    { id: 'prod_mug', source_id: 'mug', name: 'Mug' },
    { id: 'prod_hat', name: 'Hat' },
  ],
  skus: [{ id: 'sku_red', source_id: 'red', product_id: 'prod_mug' }],
  validation_rules: [{ id: 'val_big', name: 'Big', rules: {}, error: null }],
};

export const coin = (exchange_ratio: unknown, points_ratio: unknown = 5) => ({
  coin: { exchange_ratio, points_ratio },
});
export const mug = { name: 'Mug', parameters: { product: { id: 'mug', sku_id: 'red' } }, stock: '5' };
export const priced = (points: unknown) => ({ parameters: { loyalty: { points } } });

export const ofReward = (rewardId: string, assignmentId: string) => ({ params: { rewardId, assignmentId } });
export const ofClub = (assignmentId: string, campaignId = 'camp_club') => ({ params: { campaignId, assignmentId } });

/** Loads a project with possible gifts and programmes for rewards. Returns its calls. */
export async function openCatalogue() {
  const { credentials } = await loadProject(lists);
  const call = (handler: Endpoint, request: Request = {}) =>
    caller(handler)({ ...request, headers: { ...credentials, ...request.headers } });
  return {
    call,
    made: async (body: object) => {
      const reply = await call(createHandler, { body });
      expect(reply.status).toBe(200);
      return reply.body;
    },
    assign: (rewardId: string, body: object) => call(assignHandler, { params: { rewardId }, body }),
  };
}

export type Catalogue = Awaited<ReturnType<typeof openCatalogue>>;
