import { describe, expect, test } from 'vitest';
import { handler as createCampaign } from '../../functions/campaigns/create-campaign.ts';
import { handler as deleteCampaign } from '../../functions/campaigns/delete-campaign.ts';
import { handler as disableCampaign } from '../../functions/campaigns/disable-campaign.ts';
import { handler as updateCampaign } from '../../functions/campaigns/update-campaign.ts';
import { handler as createTier } from '../../functions/promotions/create-promotion-tier.ts';
import { handler as deleteTier } from '../../functions/promotions/delete-promotion-tier.ts';
import { handler as disableTier } from '../../functions/promotions/disable-promotion-tier.ts';
import { handler as updateTier } from '../../functions/promotions/update-promotion-tier.ts';
import { handler as assignRule } from '../../functions/validation-rules/create-validation-rule-assignment.ts';
import { handler as deleteRule } from '../../functions/validation-rules/delete-validation-rule.ts';
import { handler as unassign } from '../../functions/validation-rules/delete-validation-rule-assignment.ts';
import { handler as listOfRule } from '../../functions/validation-rules/list-validation-rule-assignments.ts';
import { handler as updateRule } from '../../functions/validation-rules/update-validation-rule.ts';
import { caller } from '../support/call.ts';
import { newClient, testDependencies } from '../support/dependencies.ts';
import { validationRule } from '../support/lists.ts';
import { loadFile, loadProject } from '../support/project.ts';
import { asking, off, spring, tiers } from '../support/qualifying.ts';

describe('a change by an operator', () => {
  const rule = validationRule('val_1', 'Much', { name: 'order.amount', conditions: { $more_than: [1_000] } });

  /** A container that has not cached the project makes the changes. */
  async function changing() {
    const project = await loadProject({
      campaigns: [spring],
      promotion_tiers: tiers(100, 200),
      validation_rules: [rule],
    });
    const { credentials: headers } = project;
    const other = testDependencies({ dynamodb: newClient() });
    const ask = asking(headers);
    const change = async (handler: Parameters<typeof caller>[0], request: Record<string, unknown>) => {
      const { status, body } = await caller(handler, other)({ headers, ...request });
      expect([200, 202, 204]).toContain(status);
      return body;
    };
    expect((await ask()).ids).toEqual(['promo_2', 'promo_1']);
    return { project, ask, change };
  }

  const promo_1 = { promotionTierId: 'promo_1' };

  test('to a tier shows at once: another discount, disabled, deleted', async () => {
    const { ask, change } = await changing();
    await change(updateTier, { params: promo_1, body: { action: { discount: off(700) } } });
    expect((await ask()).body.redeemables.data[1].order.total_amount).toBe(300);
    await change(disableTier, { params: promo_1, body: {} });
    expect((await ask()).ids).toEqual(['promo_2']);
    await change(deleteTier, { params: { promotionTierId: 'promo_2' } });
    expect((await ask()).ids).toEqual([]);
    const made = await change(createTier, {
      params: { campaignId: 'camp_tiers' },
      body: { name: 'New', action: { discount: off(5) } },
    });
    expect((await ask()).ids).toEqual([made.id]);
  });

  test('to a rule shows at once: assigned, eased, deleted, removed', async () => {
    const { ask, change } = await changing();
    const params = { validationRuleId: 'val_1' };
    const body = { related_object_type: 'promotion_tier', related_object_id: 'promo_1' };
    await change(assignRule, { params, body });
    expect((await ask()).ids).toEqual(['promo_2']);
    await change(updateRule, {
      params,
      body: { rules: { 1: { name: 'order.amount', conditions: { $more_than: [10] } } } },
    });
    expect((await ask()).ids).toEqual(['promo_2', 'promo_1']);
    const { data } = await change(listOfRule, { params });
    await change(deleteRule, { params });
    expect((await ask()).ids).toEqual(['promo_2']);
    await change(unassign, { params: { ...params, assignmentId: data[0].id } });
    expect((await ask()).ids).toEqual(['promo_2', 'promo_1']);
  });

  test('to a campaign shows at once: its dates, disabled, deleted, a new one', async () => {
    const { ask, change } = await changing();
    const params = { campaignId: 'camp_tiers' };
    await change(updateCampaign, { params, body: { expiration_date: '2020-01-01T00:00:00Z' } });
    expect((await ask()).ids).toEqual([]);
    await change(updateCampaign, { params, body: { expiration_date: '2040-01-01T00:00:00Z' } });
    expect((await ask()).ids).toHaveLength(2);
    await change(disableCampaign, { params, body: {} });
    expect((await ask()).ids).toEqual([]);
    await change(deleteCampaign, { params });
    const made = await change(createCampaign, {
      body: {
        name: 'Autumn',
        campaign_type: 'PROMOTION',
        promotion: { tiers: [{ name: 'One', action: { discount: off(1) } }] },
      },
    });
    expect((await ask()).ids).toEqual(made.promotion.tiers.map(({ id }: { id: string }) => id));
  });

  test('by loading a project file shows at once', async () => {
    const { project, ask } = await changing();
    const [first, second] = tiers(300, 200);
    await loadFile({ ...project.file, promotion_tiers: [first, { ...second, active: false }] });
    const { ids, body } = await ask();
    expect([ids, body.redeemables.data[0].order.total_amount]).toEqual([['promo_1'], 700]);
  });
});
