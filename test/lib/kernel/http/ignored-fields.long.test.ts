import { describe, expect, test } from 'vitest';
import { encodeParams, findIgnoredFields, writeIgnoredHeader } from '#kernel/http/ignored-fields.ts';
import { handler as createCampaign } from '../../../../functions/campaigns/create-campaign.ts';
import { handler as sendEvent } from '../../../../functions/events/send-event.ts';
import { handler as createExport } from '../../../../functions/exports/create-export.ts';
import { handler as transferPoints } from '../../../../functions/loyalties/transfer-points.ts';
import { handler as createVoucher } from '../../../../functions/vouchers/create-voucher.ts';
import { caller } from '../../../support/call.ts';
import { loadDemo } from '../../../support/demo.ts';
import { uniqueId } from '../../../support/dependencies.ts';

describe('a body with unknown fields', () => {
  test('is accepted, and its reply names them by their places', async () => {
    const { credentials: headers } = await loadDemo();
    const discount = { type: 'PERCENT', percent_off: 5, amount_off: 5 };
    const body = {
      voucher_count: 5,
      constructor: 1,
      metadata: { anything: { at: 'all' } },
      validity_hours: { daily: [{ note: 'kept' }], custom: 1 },
      voucher: { discount, redemption: { quantity: 1, amount: 2 } },
    };
    const reply = await caller(createCampaign)({ headers, body });
    expect(reply.status).toBe(200);
    expect(reply.headers['X-Ignored-Fields']?.split(', ').toSorted()).toEqual([
      'constructor',
      'voucher.discount.amount_off',
      'voucher.redemption.amount',
      'voucher_count',
    ]);
  });

  test('in a list has them named with their place, also if the request is refused for another reason', async () => {
    const { credentials: headers } = await loadDemo();
    const entry = { code: 'CREW-NOBODY', points: 1, source_id: uniqueId('tx-') };
    const reply = await caller(transferPoints)({
      params: { campaignId: 'camp_crew', memberId: 'CREW-OLUF' },
      headers,
      body: [entry, { ...entry, point: 2, source_id: uniqueId('tx-') }],
    });
    expect([reply.status, reply.headers['X-Ignored-Fields']]).toEqual([404, '[1].point']);
  });

  test('has them named again when the reply is a repeated one', async () => {
    const { credentials } = await loadDemo();
    const headers = { ...credentials, 'idempotency-key': uniqueId('key-') };
    const body = { event: 'purchase_made', customer: { source_id: 'crm-101', nick: 'a' } };
    for (const replayed of [undefined, 'true']) {
      const reply = await caller(sendEvent)({ headers, body });
      expect(reply).toMatchObject({ status: 200, headers: { 'X-Ignored-Fields': 'customer.nick' } });
      expect(reply.headers['Idempotent-Replayed']).toBe(replayed);
    }
  });

  test('is not reported if it has none', async () => {
    const { credentials: headers } = await loadDemo();
    const reply = await caller(createCampaign)({ headers, body: { metadata: { voucher_count: 5 } } });
    expect(reply.headers).not.toHaveProperty('X-Ignored-Fields');
  });
});

describe('an object that decides money', () => {
  test.each([
    [createCampaign, { voucher: { redemption: { quantitty: 2 } } }, 'voucher.redemption.quantitty', 'quantity'],
    [
      createCampaign,
      { voucher: { discount: { type: 'AMOUNT', amount_off: 5, efect: 'X' } } },
      'voucher.discount.efect',
      'effect',
    ],
    [createVoucher, { type: 'GIFT_VOUCHER', gift: { amont: 5 } }, 'gift.amont', 'amount'],
    [createVoucher, { gift: { amount: 1 }, loyalty_card: { point: 5 } }, 'loyalty_card.point', 'points'],
    [
      createVoucher,
      { discount: { type: 'UNIT', effect: 'ADD_MANY_ITEMS', units: [{ unit_off: 1, unit_type: 'a', unitoff: 2 }] } },
      'discount.units[0].unitoff',
      'unit_off',
    ],
    [createExport, { exported_object: 'order', parameters: { field: ['id'] } }, 'parameters.field', 'fields'],
  ])('refuses a field with a typing error: %#', async (handler, body, place, meant) => {
    const { credentials: headers } = await loadDemo();
    const reply = await caller(handler)({ headers, body });
    expect(reply).toMatchObject({
      status: 400,
      body: { key: 'invalid_payload', details: `${place} does not exist: write ${meant}, or leave it out` },
      headers: { 'X-Ignored-Fields': place },
    });
  });

  test('ignores any other field, and typing errors elsewhere', async () => {
    const { credentials: headers } = await loadDemo();
    const body = { gift: { amount: 5, note: 1 }, metadata: { gift: { amont: 1 } }, aditional_info: 'x' };
    const reply = await caller(createVoucher)({ headers, body });
    expect(reply.status).toBe(200);
    expect(reply.headers['X-Ignored-Fields']?.split(', ').toSorted()).toEqual(['aditional_info', 'gift.note']);
  });

  test('of any size is checked in one pass, not in hours', async () => {
    const { credentials: headers } = await loadDemo();
    const many = Object.fromEntries(Array.from({ length: 150_000 }, (_, index) => [`amoumt_${index}`, 1]));
    const begun = performance.now();
    const reply = await caller(createVoucher)({ headers, body: { gift: { amount: 5, ...many } } });
    expect([200, 400]).toContain(reply.status);
    expect(performance.now() - begun).toBeLessThan(30_000);
  });
});

describe('the names of ignored fields', () => {
  test('are valid in a header, whatever they contain', () => {
    const fields = { 'a, b\r\nc': 1, é: 2, '\ud83d': 3 };
    expect(writeIgnoredHeader(findIgnoredFields(fields, {}), encodeParams(['x[y, z]']))).toBe(
      'a%2C%20b%0D%0Ac, %C3%A9, %EF%BF%BD, x[y%2C%20z]',
    );
  });

  test('end when a header is long enough', () => {
    const sent = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`field${index}`, 1]));
    const named = writeIgnoredHeader(findIgnoredFields(sent, {})) ?? '';
    expect(named.length).toBeLessThan(1_010);
    expect(named).toMatch(/^field0, field1, .*, \.\.\.$/);
    expect(writeIgnoredHeader(findIgnoredFields({ ['x'.repeat(5_000)]: 1 }, {}))).toBe('...');
  });
});
