import { describe, expect, test } from 'vitest';
import { handOverEvents } from '#addons/webhooks/events/hand-over.ts';
import { redemptionRecords } from '#engine/holds/items/hold-item.ts';
import { hold } from '#engine/holds/standing/hold.ts';
import { vouchers as voucherKeys } from '#engine/vouchers/voucher.ts';
import { findProject } from '#kernel/access/projects/project.ts';
import { handler as createWebhook } from '../../functions/management/create-webhook.ts';
import { handler as redeemAll } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as rollBack } from '../../functions/redemptions/rollback-redemption.ts';
import { handler as getVoucher } from '../../functions/vouchers/get-voucher.ts';
import { handler as redeem } from '../../functions/vouchers/redeem-voucher.ts';
import { caller } from '../support/call.ts';
import { changesOf } from '../support/changes.ts';
import { testDependencies } from '../support/dependencies.ts';
import { openHearing, openReceiver } from '../support/hearing.ts';
import { coupon, giftVoucher } from '../support/lists.ts';
import { itemsOf, recordOf } from '../support/outbox.ts';

/** `voucher.used_up` is sent once for each time that a voucher reaches its limit by redemptions. */

const of = (code: string, quantity: number | null, more: object = {}) =>
  coupon(code, { type: 'AMOUNT', amount_off: 100 }, { active: true, redemption: { quantity }, ...more });

const lists = {
  campaigns: [{ id: 'camp_1', name: 'Sale', campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC' }],
  vouchers: [
    of('ONCE', 1),
    of('TWICE', 2, { campaign_id: 'camp_1' }),
    of('SHARED', 12),
    of('OPEN', null),
    giftVoucher('CARD', { amount: 500, balance: 500 }),
  ],
};

async function open() {
  const [hearing, receiver] = await Promise.all([openHearing(lists), openReceiver()]);
  await hearing.settleAll();
  const made = await hearing.manage(createWebhook, {}, { target_url: receiver.url, events: ['voucher.used_up'] });
  expect(made.status).toBe(200);
  const { call, settleAll, dependencies, id, table } = hearing;
  return {
    ...hearing,
    use: async (code: string, body: object = {}) => {
      const reply = await call(redeem, { params: { code }, body: { order: { amount: 5_000 }, ...body } });
      expect(reply.status).toBe(200);
      return reply;
    },
    undo: async (redemptionId: string) =>
      expect((await call(rollBack, { params: { redemptionId }, body: {} })).status).toBe(200),
    heard: async () => {
      await settleAll();
      return receiver.heard.map(({ body }) => body);
    },
    codes: async () => {
      await settleAll();
      return receiver.heard.map(({ body }) => body.data.voucher.code);
    },
    /** Delivers the records of all redemptions again, as the stream may. */
    repeatRecords: async () => {
      const records = (await itemsOf(id, 'REDEMPTION', dependencies)).map((item) => recordOf(item));
      await handOverEvents(changesOf(records), { queues: dependencies.queues, table: table() });
    },
  };
}

describe('a voucher is used up', () => {
  test('by its last use, and the event tells of the voucher and the request', async () => {
    const { use, heard, call } = await open();
    await use('TWICE');
    expect(await heard()).toEqual([]);
    const { headers } = await use('TWICE');
    const { body: voucher } = await call(getVoucher, { params: { code: 'TWICE' } });
    const [told, ...others] = await heard();
    expect(others).toEqual([]);
    expect(told.data).toEqual({
      voucher: expect.objectContaining({
        ...{ id: voucher.id, code: 'TWICE', object: 'voucher' },
        redemption: expect.objectContaining({ quantity: 2, redeemed_quantity: 2 }),
      }),
      campaign: expect.objectContaining({ id: 'camp_1', object: 'campaign' }),
    });
    expect(told).toMatchObject({
      type: 'voucher.used_up',
      event: { entity_id: voucher.id, group_id: headers['X-Request-Id'] },
    });
  });

  test('once, though the stream delivers its records again', async () => {
    const { use, codes, repeatRecords } = await open();
    await use('TWICE');
    await use('TWICE');
    expect(await codes()).toEqual(['TWICE']);
    await repeatRecords();
    await repeatRecords();
    expect(await codes()).toEqual(['TWICE']);
  });

  test('once, though both uses are looked at after the last', async () => {
    const { use, codes } = await open();
    await Promise.all([use('TWICE'), use('ONCE')]);
    await use('TWICE');
    expect((await codes()).toSorted()).toEqual(['ONCE', 'TWICE']);
  });

  test('again by a new last use after a rollback', async () => {
    const { use, undo, heard, repeatRecords } = await open();
    const { body } = await use('ONCE');
    expect(await heard()).toHaveLength(1);
    await undo(body.id);
    await repeatRecords();
    expect(await heard()).toHaveLength(1);
    await use('ONCE');
    const all = await heard();
    expect(all.map(({ data }) => data.voucher.code)).toEqual(['ONCE', 'ONCE']);
    expect(new Set(all.map(({ event }) => event.id)).size).toBe(2);
    await repeatRecords();
    expect(await heard()).toHaveLength(2);
  });

  test('with others of its order', async () => {
    const { call, codes } = await open();
    const redeemables = ['ONCE', 'TWICE', 'OPEN'].map((code) => ({ object: 'voucher', id: code }));
    const { status } = await call(redeemAll, { body: { redeemables, order: { amount: 5_000 } } });
    expect(status).toBe(200);
    expect(await codes()).toEqual(['ONCE']);
  });

  test('never without a limit, and a card without credits is not', async () => {
    const { use, codes } = await open();
    await use('OPEN');
    await use('CARD', { gift: { credits: 500 } });
    expect(await codes()).toEqual([]);
  });
});

describe('a code for everybody is used up', () => {
  test('once, by the crowd that shares its uses in several containers', async () => {
    const { credentials: headers, clock, dependencies, codes, call } = await open();
    const { tableName } = dependencies;
    const containers = Array.from({ length: 3 }, () => testDependencies({ tableName, clock }));
    const request = { headers, params: { code: 'SHARED' }, body: { order: { amount: 5_000 } } };
    const all = await Promise.all(
      Array.from({ length: 30 }, (_, index) => caller(redeem, containers[index % 3])(request)),
    );
    expect(all.filter(({ status }) => status === 200)).toHaveLength(12);
    expect((await call(getVoucher, request)).body.redemption.redeemed_quantity).toBe(12);
    expect(await codes()).toEqual(['SHARED']);
  });

  test('not while a container only holds the last use', async () => {
    const { use, call, codes, id, table, clock } = await open();
    for (let time = 0; time < 10; time++) await use('SHARED');
    const project = await findProject(table(), id);
    if (!project) throw new Error('the project was not loaded');
    const { body: voucher } = await call(getVoucher, { params: { code: 'SHARED' } });
    const key = voucherKeys(id, voucher.id);
    const held = { key, by: { redeemed_quantity: 1 }, max: { attribute: 'redeemed_quantity', value: 12 } };
    expect(await hold({ table: table(), project, now: clock() }, redemptionRecords, held, 'r_dead')).toMatchObject({
      done: true,
    });
    await use('SHARED');
    expect(await codes()).toEqual([]);
    clock.advance(61);
    await use('SHARED');
    expect(await codes()).toEqual(['SHARED']);
  });
});
