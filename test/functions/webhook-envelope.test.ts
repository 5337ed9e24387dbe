import { describe, expect, test } from 'vitest';
import { chosenTypes } from '#addons/webhooks/resource.ts';
import type { Endpoint } from '#kernel/http/operation.ts';
import { handler as createCampaign } from '../../functions/campaigns/create-campaign.ts';
import { handler as disableCampaign } from '../../functions/campaigns/disable-campaign.ts';
import { handler as createCustomer } from '../../functions/customers/create-customer.ts';
import { handler as updateCustomer } from '../../functions/customers/update-customer.ts';
import { handler as createPublication } from '../../functions/publications/create-publication.ts';
import { handler as rollBack } from '../../functions/redemptions/rollback-redemption.ts';
import { handler as createRule } from '../../functions/validation-rules/create-validation-rule.ts';
import { handler as adjust } from '../../functions/vouchers/adjust-voucher-balance.ts';
import { handler as createVoucher } from '../../functions/vouchers/create-voucher.ts';
import { handler as deleteVoucher } from '../../functions/vouchers/delete-voucher.ts';
import { handler as disableVoucher } from '../../functions/vouchers/disable-voucher.ts';
import { handler as redeem } from '../../functions/vouchers/redeem-voucher.ts';
import { type Heard, openSubscribed } from '../support/hearing.ts';

/** Holds the envelope of events: the object that an event is about, the request that brought it about, and its time. */

const time = '2026-03-04T05:06:07.891Z';
const discount = { type: 'AMOUNT', amount_off: 100 };

async function open() {
  const own = await openSubscribed(chosenTypes.filter((type) => type !== 'customer.confirmed'));
  own.clock.set(time);
  /** Makes a call, and returns its reply with the events that it brought about. */
  async function hear(handler: Endpoint, request: Parameters<typeof own.call>[1]) {
    const before = own.receiver.heard.length;
    const reply = await own.call(handler, request);
    expect([reply.status < 300, reply.body.details]).toEqual([true, undefined]);
    await own.settleAll();
    const events = own.receiver.heard.slice(before).map(({ body }: Heard) => body);
    return { body: reply.body, requestId: reply.headers['X-Request-Id'], events };
  }
  const newCode = (code: string, more: object = {}) =>
    hear(createVoucher, { body: { code, type: 'DISCOUNT_VOUCHER', discount, ...more } });
  return { hear, newCode };
}

type Opened = Awaited<ReturnType<typeof open>>;

describe('an event', () => {
  test.each([
    ['customer.created', ({ hear }: Opened) => hear(createCustomer, { body: { source_id: 'ingrid', name: 'Ingrid' } })],
    [
      'customer.updated',
      async ({ hear }: Opened) => {
        const { body } = await hear(createCustomer, { body: { source_id: 'nils', name: 'Nils' } });
        return hear(updateCustomer, { params: { customerId: body.id }, body: { name: 'Nils P.' } });
      },
    ],
    ['voucher.created', ({ newCode }: Opened) => newCode('AUTUMN')],
    [
      'business_validation_rule.created',
      ({ hear }: Opened) => hear(createRule, { body: { name: 'Large carts', rules: {} } }),
    ],
  ] as const)('%s is about the object of the reply', async (type, act) => {
    const { body, requestId, events } = await act(await open());
    const event = events.find((one) => one.type === type)?.event;
    expect(event).toMatchObject({ entity_id: body.id, group_id: requestId, created_at: time });
  });

  test('of a redemption, a rollback and a balance names its object and its request', async () => {
    const { hear, newCode } = await open();
    await newCode('GIFT', { type: 'GIFT_VOUCHER', gift: { amount: 5_000 }, discount: undefined });
    const added = await hear(adjust, { params: { code: 'GIFT' }, body: { amount: 100 } });
    const ofBalance = added.events.find(({ type }) => type === 'voucher.gift.balance_added');
    expect(ofBalance?.event).toMatchObject({
      entity_id: ofBalance?.data.voucher.id,
      group_id: added.requestId,
      created_at: time,
    });
    const ofEntry = added.events.find(({ type }) => type === 'voucher.gift.transaction.created');
    expect(ofEntry?.event).toMatchObject({ entity_id: ofEntry?.data.transaction.id, group_id: added.requestId });
    const customer = { source_id: 'olga' };
    const used = await hear(redeem, {
      params: { code: 'GIFT' },
      body: { customer, order: { amount: 900 }, gift: { credits: 300 } },
    });
    const eventOf = (events: typeof used.events, type: string) => events.find((one) => one.type === type);
    const redeemed = eventOf(used.events, 'redemption.succeeded');
    expect(redeemed?.event).toMatchObject({ entity_id: used.body.id, group_id: used.requestId, created_at: time });
    const activity = eventOf(used.events, 'customer.redemption.succeeded');
    expect(activity?.event).toMatchObject({ entity_id: redeemed?.data.customer.id, group_id: used.requestId });
    const undone = await hear(rollBack, { params: { redemptionId: used.body.id }, body: {} });
    expect(eventOf(undone.events, 'redemption.rollback.succeeded')?.event).toMatchObject({
      entity_id: undone.body.id,
      group_id: undone.requestId,
    });
  });

  test('of a publication names the publication, and the publishing of a voucher the voucher', async () => {
    const { hear, newCode } = await open();
    await newCode('SPRING');
    const { body, requestId, events } = await hear(createPublication, {
      body: { voucher: 'SPRING', customer: { source_id: 'pia' } },
    });
    const about = Object.fromEntries(events.map(({ type, event }) => [type, event]));
    expect(about['publication.succeeded']).toMatchObject({ entity_id: body.id, group_id: requestId });
    expect(about['voucher.published']).toMatchObject({ entity_id: body.voucher.id });
  });

  test('of a switch or a deletion names its own request, not the one before it', async () => {
    const { hear, newCode } = await open();
    const made = await newCode('WINTER');
    const off = await hear(disableVoucher, { params: { code: 'WINTER' } });
    expect(off.events.map(({ type, event }) => [type, event.entity_id, event.group_id])).toEqual([
      ['voucher.disabled', made.body.id, off.requestId],
    ]);
    const deleted = await hear(deleteVoucher, { params: { code: 'WINTER' }, query: 'force=true' });
    const event = deleted.events.find(({ type }) => type === 'voucher.deleted')?.event;
    expect(event).toMatchObject({ entity_id: made.body.id, group_id: deleted.requestId });
  });

  test('of generated codes is about their campaign, and names the request that ordered them', async () => {
    const { hear } = await open();
    const made = await hear(createCampaign, {
      body: {
        ...{ name: 'Early birds', campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC', vouchers_count: 2 },
        voucher: { type: 'DISCOUNT_VOUCHER', discount },
      },
    });
    expect(new Set(made.events.map(({ type }) => type))).toEqual(
      new Set(['campaign.created', 'campaign.vouchers.generation.started', 'campaign.vouchers.generation.completed']),
    );
    for (const { event } of made.events) {
      expect(event).toMatchObject({ entity_id: made.body.id, group_id: made.requestId });
    }
    const off = await hear(disableCampaign, { params: { campaignId: made.body.id } });
    expect(off.events.map(({ type, event }) => [type, event.group_id])).toEqual([['campaign.disabled', off.requestId]]);
  });
});
