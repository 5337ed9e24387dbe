import { handler as createHandler } from '../../functions/campaigns/create-campaign.ts';
import { handler as getHandler } from '../../functions/campaigns/get-campaign.ts';
import { handler as voucherHandler } from '../../functions/vouchers/get-voucher.ts';
import { caller } from './call.ts';
import { testDependencies } from './dependencies.ts';
import { runOutbox } from './outbox.ts';
import { loadProject, type TestProject } from './project.ts';

export const category = {
  id: 'cat_1',
  name: 'One',
  hierarchy: 1,
  created_at: '2026-01-01T00:00:00.000Z',
  object: 'category',
};

/** Resources that campaigns can name. */
const named = { categories: [category], validation_rules: [{ id: 'val_1', name: 'Rule' }] };

/** Returns a merchant's calls for campaigns in a project. */
export function merchantOf(
  { id, credentials }: Pick<TestProject, 'id' | 'credentials'>,
  dependencies = testDependencies(),
) {
  const create = caller(createHandler, dependencies);
  const get = caller(getHandler, dependencies);
  const voucher = caller(voucherHandler, dependencies);
  return {
    id,
    credentials,
    dependencies,
    create: (body: unknown) => create({ headers: credentials, body }),
    get: (campaignId: string) => get({ headers: credentials, params: { campaignId } }),
    voucher: async (code: unknown) => (await voucher({ headers: credentials, params: { code: String(code) } })).body,
    run: () => runOutbox(id, dependencies),
  };
}

export type Merchant = ReturnType<typeof merchantOf>;

/** Loads a project with these lists, and returns its merchant's calls. */
export async function newMerchant(lists: Record<string, unknown> = named): Promise<Merchant> {
  return merchantOf(await loadProject(lists));
}

export const amountOff = { type: 'AMOUNT', amount_off: 500 };

/** Makes the reward for a referred customer: points of a campaign. */
export const rewardOf = (id: string) => ({
  referee_reward: { type: 'LOYALTY_CARD', amount: 10, related_object_parent: { id } },
});
