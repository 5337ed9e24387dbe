import { handler as create } from '../../functions/promotions/create-promotion-stack.ts';
import { handler as remove } from '../../functions/promotions/delete-promotion-stack.ts';
import { handler as removeTier } from '../../functions/promotions/delete-promotion-tier.ts';
import { handler as get } from '../../functions/promotions/get-promotion-stack.ts';
import { handler as listOf } from '../../functions/promotions/list-campaign-promotion-stacks.ts';
import { handler as list } from '../../functions/promotions/list-promotion-stacks.ts';
import { handler as update } from '../../functions/promotions/update-promotion-stack.ts';
import { caller } from './call.ts';
import { standingClock, testDependencies } from './dependencies.ts';
import { runOutbox } from './outbox.ts';
import { loadProject, type TestProject } from './project.ts';

const promotion = { campaign_type: 'PROMOTION', type: 'STATIC' };
export const tiersOf = (campaign: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: `promo_${campaign}${index}`,
    name: `${index}`,
    campaign_id: `camp_${campaign}`,
    hierarchy: index,
  }));
/** Two promotions, one with more tiers than a stack allows, and one campaign of codes. */
export const lists = {
  categories: [{ id: 'cat_1', name: 'Tea' }],
  campaigns: [
    { id: 'camp_a', name: 'Alpha', ...promotion },
    { id: 'camp_b', name: 'Beta', ...promotion },
    { id: 'camp_codes', name: 'Codes', campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC' },
  ],
  promotion_tiers: [...tiersOf('a', 31), ...tiersOf('b', 2)],
};
export const load = () => loadProject(lists);

export function world({ id, credentials: headers }: TestProject) {
  const clock = standingClock();
  const dependencies = testDependencies({ clock });
  const call = (handler: Parameters<typeof caller>[0], request: object = {}) => {
    clock.advance(1);
    return caller(handler, dependencies)({ headers, ...request });
  };
  const at = (stackId: string, campaignId: string) => ({ params: { campaignId, stackId } });
  return {
    call,
    create: (tiers: readonly string[], body: object = {}, campaignId = 'camp_a') =>
      call(create, { params: { campaignId }, body: { name: 'S', tiers: { ids: tiers }, ...body } }),
    get: (stack: string, campaign = 'camp_a') => call(get, at(stack, campaign)),
    update: (stack: string, body: object, campaign = 'camp_a') => call(update, { ...at(stack, campaign), body }),
    remove: (stack: string, campaign = 'camp_a') => call(remove, at(stack, campaign)),
    removeTier: (promotionTierId: string) => call(removeTier, { params: { promotionTierId } }),
    names: async (query = '') => {
      const { body } = await call(list, { query });
      return [body.data?.map(({ name }: { name: string }) => name).join('') ?? body.details, body.total];
    },
    listOf: (campaignId: string) => call(listOf, { params: { campaignId } }),
    runOutbox: () => runOutbox(id, dependencies),
  };
}
