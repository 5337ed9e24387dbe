import { expect, test } from 'vitest';
import { type EventType, eventTypes } from '#addons/webhooks/events/types.ts';
import { chosenTypes } from '#addons/webhooks/resource.ts';
import { settleDue } from '#registry.ts';
import { handler as addVouchers } from '../../functions/campaigns/add-vouchers.ts';
import { handler as createCampaign } from '../../functions/campaigns/create-campaign.ts';
import { handler as deleteCampaign } from '../../functions/campaigns/delete-campaign.ts';
import { handler as updateCampaign } from '../../functions/campaigns/update-campaign.ts';
import { handler as deleteProgramme } from '../../functions/loyalties/delete-loyalty-campaign.ts';
import { handler as createWebhook } from '../../functions/management/create-webhook.ts';
import { handler as rollBack } from '../../functions/redemptions/rollback-redemption.ts';
import { handler as adjust } from '../../functions/vouchers/adjust-voucher-balance.ts';
import { handler as createVoucher } from '../../functions/vouchers/create-voucher.ts';
import { handler as disable } from '../../functions/vouchers/disable-voucher.ts';
import { handler as redeem } from '../../functions/vouchers/redeem-voucher.ts';
import demo from '../../infra/local/demo-project.json' with { type: 'json' };
import { findOperation } from '../../infra/operations.ts';
import { type Hearing, openHearing, openReceiver } from '../support/hearing.ts';
import { exampleIn } from '../support/one-of-each.ts';
import { loadFile } from '../support/project.ts';

/** Causes every type of event over the API, and checks the payloads against the table of types. */

const { app_keys: _, project: __, management_keys: ___, webhooks: ____, ...lists } = demo;

/** Operations whose examples cause the events, in an order that the demo allows. */
const examples = [
  ...['create-validation-rule', 'update-validation-rule', 'create-validation-rule-assignment'],
  ...['delete-validation-rule-assignment', 'delete-validation-rule'],
  ...['create-campaign', 'update-campaign', 'disable-campaign', 'enable-campaign', 'delete-campaign'],
  ...['create-promotion-tier', 'update-promotion-tier', 'disable-promotion-tier', 'enable-promotion-tier'],
  ...['delete-promotion-tier', 'create-promotion-stack', 'update-promotion-stack'],
  ...['create-loyalty-tiers', 'create-earning-rules', 'update-earning-rule', 'disable-earning-rule'],
  ...['enable-earning-rule', 'delete-earning-rule', 'assign-reward', 'update-assignment-of-reward'],
  ...['delete-assignment-of-reward', 'create-customer', 'update-customer', 'delete-customer'],
  ...[
    'create-publication',
    'redeem-redeemables',
    'redeem-member-reward',
    'send-event',
    'create-order',
    'create-return',
  ],
  ...['create-voucher', 'update-voucher', 'disable-voucher', 'enable-voucher', 'delete-voucher'],
  ...['adjust-voucher-balance', 'adjust-pending-points', 'activate-pending-points', 'cancel-pending-points'],
];

async function runExamples({ call, id }: Hearing): Promise<void> {
  for (const name of examples) {
    const operation = findOperation(name);
    const { status } = await call(operation.handler, exampleIn(id, operation));
    expect([name, status]).toEqual([name, operation.route.reply.status]);
  }
}

const friends = (amount: number) => ({
  referral_program: {
    conversion_event_type: 'redemption',
    referrer_reward: { type: 'LOYALTY_CARD', amount, related_object_parent: { id: 'camp_crew', object: 'campaign' } },
  },
});

/** The demo's examples have no referral programme, so that each makes one event of a campaign. */
async function runReferrals({ call, settle }: Hearing): Promise<void> {
  const discount = { type: 'AMOUNT', amount_off: 100 };
  const { body: made } = await call(createCampaign, {
    body: {
      ...{ name: 'Shipmates', campaign_type: 'REFERRAL_PROGRAM', type: 'AUTO_UPDATE', ...friends(50) },
      voucher: { type: 'DISCOUNT_VOUCHER', discount },
    },
  });
  const params = { campaignId: made.id };
  expect((await call(updateCampaign, { params, body: friends(60) })).status).toBe(200);
  await settle();
  expect((await call(deleteCampaign, { params })).status).toBe(202);
}

async function runOthers({ call, dependencies, clock, settleAll }: Hearing): Promise<void> {
  await call(addVouchers, { params: { campaignId: 'Early tide' }, query: 'vouchers_count=2', body: {} });
  await call(adjust, { params: { code: 'TIN-WINDOW' }, body: { amount: 100 } });
  const { body: redeemed } = await call(redeem, {
    params: { code: 'TIN-WINDOW' },
    body: { order: { amount: 5_000 }, gift: { credits: 1_000 } },
  });
  for (let time = 0; time < 2; time++) await call(rollBack, { params: { redemptionId: redeemed.id }, body: {} });
  await call(disable, { params: { code: 'TIN-WINDOW' } });
  await call(redeem, { params: { code: 'TIN-WINDOW' }, body: { order: { amount: 5_000 } } });
  const discount = { type: 'AMOUNT', amount_off: 100 };
  const once = { code: 'LAST-SEAT', type: 'DISCOUNT_VOUCHER', discount, redemption: { quantity: 1 } };
  await call(createVoucher, { body: once });
  await call(redeem, { params: { code: 'LAST-SEAT' }, body: { order: { amount: 5_000 } } });
  clock.set('2031-01-01T00:00:00Z');
  await settleDue(dependencies);
  await settleAll();
  await call(deleteProgramme, { params: { campaignId: 'camp_crew' }, query: 'force=true' });
}

/** Three campaigns want more codes than their pattern has. */
async function runOutOfCodes({ call }: Hearing): Promise<void> {
  for (const name of ['Reef knots', 'Bowlines', 'Hitches']) {
    const voucher = {
      ...{ type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 100 } },
      code_config: { pattern: 'KNOT-#', charset: '01234567' },
    };
    const body = { name, campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC', vouchers_count: 4, voucher };
    expect((await call(createCampaign, { body })).body).toMatchObject({ name });
  }
}

/** No request changes loyalty tiers. A project file does. */
async function reloadTiers({ id, dependencies, clock }: Hearing): Promise<void> {
  const loyalty_tiers = lists.loyalty_tiers.map((tier) => ({ ...tier, name: `${tier.name} of the crew` }));
  await loadFile({ project: { id, name: 'Test' }, ...lists, loyalty_tiers }, clock(), dependencies);
}

const times = ['created_at', 'updated_at', 'deleted_at', 'completed_at'];

function checkPayload(type: string, data: Readonly<Record<string, unknown>>): void {
  const { objects }: EventType = eventTypes[type as keyof typeof eventTypes];
  const keys = Object.keys(data);
  const always = objects.filter((name) => !name.endsWith('?'));
  expect([type, keys]).toEqual([type, expect.arrayContaining(always)]);
  const known = [...times, ...objects.map((name) => name.replace('?', ''))];
  expect([type, keys.filter((key) => !known.includes(key))]).toEqual([type, []]);
  expect(JSON.stringify(data).length).toBeLessThan(20_000);
}

test('every type is sent when it happens, with the objects of the table in less than 20 KB', async () => {
  const [hearing, receiver] = await Promise.all([openHearing(lists), openReceiver()]);
  await hearing.settle();
  await hearing.manage(createWebhook, {}, { target_url: receiver.url, events: chosenTypes });
  await reloadTiers(hearing);
  await runOutOfCodes(hearing);
  await runExamples(hearing);
  await runReferrals(hearing);
  await runOthers(hearing);
  await hearing.settleAll();
  const seen = new Set<string>();
  for (const { body } of receiver.heard) {
    seen.add(body.type);
    if (Object.hasOwn(eventTypes, body.type)) checkPayload(body.type, body.data);
  }
  const missing = Object.entries(eventTypes).filter(
    ([type, { never }]: [string, EventType]) => !never && !seen.has(type),
  );
  expect(missing.map(([type]) => type)).toEqual([]);
  const invented = Object.entries(eventTypes).filter(
    ([type, { never }]: [string, EventType]) => never && seen.has(type),
  );
  expect(invented).toEqual([]);
});
