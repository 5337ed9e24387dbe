import { describe, expect, test } from 'vitest';
import { chosenTypes } from '#addons/webhooks/resource.ts';
import type { Endpoint } from '#kernel/http/operation.ts';
import { handler as createCampaign } from '../../functions/campaigns/create-campaign.ts';
import { handler as createCustomer } from '../../functions/customers/create-customer.ts';
import { handler as updateInBulk } from '../../functions/customers/update-customers-in-bulk.ts';
import { handler as createRules } from '../../functions/loyalties/create-earning-rules.ts';
import { handler as deleteEarningRule } from '../../functions/loyalties/delete-earning-rule.ts';
import { handler as createTier } from '../../functions/promotions/create-promotion-tier.ts';
import { handler as deleteTier } from '../../functions/promotions/delete-promotion-tier.ts';
import { handler as createRule } from '../../functions/validation-rules/create-validation-rule.ts';
import { handler as assign } from '../../functions/validation-rules/create-validation-rule-assignment.ts';
import { handler as deleteRule } from '../../functions/validation-rules/delete-validation-rule.ts';
import { handler as unassign } from '../../functions/validation-rules/delete-validation-rule-assignment.ts';
import { handler as createVoucher } from '../../functions/vouchers/create-voucher.ts';
import { openSubscribed } from '../support/hearing.ts';

/** Events name the request that caused them, also if it removed the object, or a job did its work later. */

const discount = { type: 'AMOUNT', amount_off: 100 };

async function open() {
  const own = await openSubscribed(chosenTypes.filter((type) => type !== 'customer.confirmed'));
  return async (handler: Endpoint, request: Parameters<typeof own.call>[1]) => {
    const before = own.receiver.heard.length;
    const reply = await own.call(handler, request);
    expect([reply.status < 300, reply.body.details]).toEqual([true, undefined]);
    await own.settleAll();
    const events = own.receiver.heard.slice(before).map(({ body }) => [body.type, body.event.group_id]);
    return { body: reply.body, requestId: reply.headers['X-Request-Id'], events };
  };
}

type Hear = Awaited<ReturnType<typeof open>>;

describe('the deletion of', () => {
  const rule = { name: 'Large carts', rules: {} };
  test.each([
    [
      'a validation rule',
      'business_validation_rule.deleted',
      async (hear: Hear) => {
        const { body } = await hear(createRule, { body: rule });
        return hear(deleteRule, { params: { validationRuleId: body.id } });
      },
    ],
    [
      'an assignment of a rule',
      'business_validation_rule.assignment.deleted',
      async (hear: Hear) => {
        const { body: made } = await hear(createRule, { body: rule });
        const { body: voucher } = await hear(createVoucher, {
          body: { code: 'A', type: 'DISCOUNT_VOUCHER', discount },
        });
        const params = { validationRuleId: made.id };
        const related = { related_object_type: 'voucher', related_object_id: voucher.code };
        const { body } = await hear(assign, { params, body: related });
        return hear(unassign, { params: { ...params, assignmentId: body.id } });
      },
    ],
    [
      'a promotion tier',
      'campaign.promotion_tier.deleted',
      async (hear: Hear) => {
        const action = { discount: { type: 'PERCENT', percent_off: 5 } };
        const sale = { name: 'Sale', campaign_type: 'PROMOTION' };
        const { body: campaign } = await hear(createCampaign, { body: sale });
        const { body } = await hear(createTier, { params: { campaignId: campaign.id }, body: { name: 'T', action } });
        return hear(deleteTier, { params: { promotionTierId: body.id } });
      },
    ],
    [
      'an earning rule',
      'campaign.earning_rule.deleted',
      async (hear: Hear) => {
        const club = { name: 'Club', voucher: { type: 'LOYALTY_CARD', loyalty_card: { points: 0 } } };
        const { body: campaign } = await hear(createCampaign, { body: { ...club, campaign_type: 'LOYALTY_PROGRAM' } });
        const params = { campaignId: campaign.id };
        const body = [{ event: 'order.paid', loyalty: { type: 'FIXED', points: 5 } }];
        const { body: made } = await hear(createRules, { params, body });
        return hear(deleteEarningRule, { params: { ...params, earningRuleId: made[0].id } });
      },
    ],
  ] as const)('%s names its request', async (_, type, act) => {
    const { requestId, events } = await act(await open());
    expect(events.filter(([told]) => told === type)).toEqual([[type, requestId]]);
  });
});

test('rows of a bulk request name the request that started it', async () => {
  const hear = await open();
  await hear(createCustomer, { body: { source_id: 'ida', name: 'Ida' } });
  const { requestId, events } = await hear(updateInBulk, {
    body: [
      { source_id: 'ida', name: 'Ida P.' },
      { source_id: 'per', name: 'Per' },
    ],
  });
  const ofCustomers = events.filter(([type]) => ['customer.updated', 'customer.created'].includes(String(type)));
  expect(ofCustomers.toSorted()).toEqual([
    ['customer.created', requestId],
    ['customer.updated', requestId],
  ]);
});
