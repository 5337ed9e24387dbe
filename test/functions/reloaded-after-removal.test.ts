import { expect, test } from 'vitest';
import type { Endpoint } from '#kernel/http/operation.ts';
import { handler as deleteEarningRule } from '../../functions/loyalties/delete-earning-rule.ts';
import { handler as getEarningRule } from '../../functions/loyalties/get-earning-rule.ts';
import { handler as deleteTier } from '../../functions/promotions/delete-promotion-tier.ts';
import { handler as getTier } from '../../functions/promotions/get-promotion-tier.ts';
import { handler as deleteAssignment } from '../../functions/rewards/delete-assignment-of-reward.ts';
import { handler as getAssignment } from '../../functions/rewards/get-assignment-of-reward.ts';
import { handler as deleteRule } from '../../functions/validation-rules/delete-validation-rule.ts';
import { handler as getRule } from '../../functions/validation-rules/get-validation-rule.ts';
import { caller } from '../support/call.ts';
import { testDependencies } from '../support/dependencies.ts';
import { exported } from '../support/exported.ts';
import { programme } from '../support/loyalty.ts';
import { credentialsOf, loadFile, projectFile } from '../support/project.ts';

/** A removal leaves a tombstone for a day. Exports leave it out, and a project file puts the same id in its place. */

const lists = {
  campaigns: [programme('camp_club'), { id: 'camp_sale', name: 'Sale', campaign_type: 'PROMOTION', type: 'STATIC' }],
  validation_rules: [{ id: 'val_large', name: 'Large', rules: {} }],
  promotion_tiers: [
    {
      ...{ id: 'promo_a', name: 'A', campaign_id: 'camp_sale', hierarchy: 1, active: true },
      action: { discount: { type: 'PERCENT', percent_off: 5, effect: 'APPLY_TO_ORDER' } },
    },
  ],
  earning_rules: [
    {
      ...{ id: 'ern_paid', campaign_id: 'camp_club', event: 'order.paid', active: true },
      loyalty: { type: 'FIXED', points: 5 },
    },
  ],
  rewards: [{ id: 'rew_mug', name: 'Mug', type: 'MATERIAL', parameters: { product: { id: 'prod_mug' } } }],
  products: [{ id: 'prod_mug', name: 'Mug' }],
  reward_assignments: [
    {
      id: 'rewa_mug',
      reward_id: 'rew_mug',
      related_object_id: 'camp_club',
      related_object_type: 'campaign',
      parameters: { loyalty: { points: 10 } },
    },
  ],
};

type Params = Readonly<Record<string, string>>;

test.each<[list: keyof typeof lists, read: Endpoint, remove: Endpoint, params: Params]>([
  ['validation_rules', getRule, deleteRule, { validationRuleId: 'val_large' }],
  ['promotion_tiers', getTier, deleteTier, { promotionTierId: 'promo_a' }],
  ['earning_rules', getEarningRule, deleteEarningRule, { campaignId: 'camp_club', earningRuleId: 'ern_paid' }],
  ['reward_assignments', getAssignment, deleteAssignment, { rewardId: 'rew_mug', assignmentId: 'rewa_mug' }],
])(
  'an entry of %s that a request has removed is in no export, and comes back with the file',
  async (list, read, remove, params) => {
    const file = projectFile(lists);
    await loadFile(file);
    const headers = credentialsOf(file);
    const shown = async () => (await caller(read)({ headers, params })).status;
    expect(await shown()).toBe(200);
    expect((await caller(remove)({ headers, params })).status).toBe(204);
    expect(await shown()).toBe(404);
    const after = await exported(file.project.id, testDependencies());
    expect(after[list] ?? []).toEqual([]);
    await loadFile(file);
    expect(await shown()).toBe(200);
  },
);
