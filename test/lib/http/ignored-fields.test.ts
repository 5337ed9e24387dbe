import { describe, expect, test } from 'vitest';
import { handler as createCampaign } from '../../../functions/campaigns/create-campaign.ts';
import { handler as sendEvent } from '../../../functions/events/send-event.ts';
import { handler as transferPoints } from '../../../functions/loyalties/transfer-points.ts';
import { encodedParams, ignoredFields, ignoredHeader } from '../../../lib/http/ignored-fields.ts';
import { caller } from '../../support/call.ts';
import { loadDemo } from '../../support/demo.ts';
import { uniqueId } from '../../support/dependencies.ts';

describe('a body with fields that nobody knows', () => {
  test('is accepted, and its reply names them by their places', async () => {
    const { credentials: headers } = await loadDemo();
    const discount = { type: 'PERCENT', percent_off: 5, amount_off: 5 };
    const body = {
      voucher_count: 5,
      constructor: 1,
      metadata: { anything: { at: 'all' } },
      validity_hours: { daily: [{ note: 'kept' }], custom: 1 },
      voucher: { discount, redemption: { quantity: 1, quantitty: 2 } },
    };
    const reply = await caller(createCampaign)({ headers, body });
    expect(reply.status).toBe(200);
    expect(reply.headers['X-Ignored-Fields']?.split(', ').toSorted()).toEqual([
      'constructor',
      'voucher.discount.amount_off',
      'voucher.redemption.quantitty',
      'voucher_count',
    ]);
  });

  test('in a list are named with their place in it, also where the request is refused for another reason', async () => {
    const { credentials: headers } = await loadDemo();
    const entry = { code: 'CREW-NOBODY', points: 1, source_id: uniqueId('tx-') };
    const reply = await caller(transferPoints)({
      params: { campaignId: 'camp_crew', memberId: 'CREW-OLUF' },
      headers,
      body: [entry, { ...entry, point: 2, source_id: uniqueId('tx-') }],
    });
    expect([reply.status, reply.headers['X-Ignored-Fields']]).toEqual([404, '[1].point']);
  });

  test('are named again when the reply is a repeated one', async () => {
    const { credentials } = await loadDemo();
    const headers = { ...credentials, 'idempotency-key': uniqueId('key-') };
    const body = { event: 'purchase_made', customer: { source_id: 'crm-101', nick: 'a' } };
    for (const replayed of [undefined, 'true']) {
      const reply = await caller(sendEvent)({ headers, body });
      expect(reply).toMatchObject({ status: 200, headers: { 'X-Ignored-Fields': 'customer.nick' } });
      expect(reply.headers['Idempotent-Replayed']).toBe(replayed);
    }
  });

  test('is not said to have any where it has none', async () => {
    const { credentials: headers } = await loadDemo();
    const reply = await caller(createCampaign)({ headers, body: { metadata: { voucher_count: 5 } } });
    expect(reply.headers).not.toHaveProperty('X-Ignored-Fields');
  });
});

describe('the names', () => {
  test('are of a kind that headers take, whatever they are', () => {
    const fields = { 'a, b\r\nc': 1, é: 2, '\ud83d': 3 };
    expect(ignoredHeader(encodedParams(['x[y, z]']), ignoredFields(fields, {}))).toBe(
      'x[y%2C%20z], a%2C%20b%0D%0Ac, %C3%A9, %EF%BF%BD',
    );
  });

  test('end where a header is long enough', () => {
    const sent = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`field${index}`, 1]));
    const named = ignoredHeader(ignoredFields(sent, {})) ?? '';
    expect(named.length).toBeLessThan(1_010);
    expect(named).toMatch(/^field0, field1, .*, \.\.\.$/);
    expect(ignoredHeader(ignoredFields({ ['x'.repeat(5_000)]: 1 }, {}))).toBe('...');
  });
});
