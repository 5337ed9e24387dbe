import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { handler as createCampaign } from '../../../../functions/campaigns/create-campaign.ts';
import { handler as updateCampaign } from '../../../../functions/campaigns/update-campaign.ts';
import { handler as getCustomer } from '../../../../functions/customers/get-customer.ts';
import { handler as sendEvent } from '../../../../functions/events/send-event.ts';
import { handler as transferPoints } from '../../../../functions/loyalties/transfer-points.ts';
import { handler as updateTier } from '../../../../functions/promotions/update-promotion-tier.ts';
import { operations } from '../../../../infra/operations.ts';
import { caller } from '../../../support/call.ts';
import { loadDemo } from '../../../support/demo.ts';
import { loadProject } from '../../../support/project.ts';

const calls = {
  'create-campaign': caller(createCampaign),
  'update-campaign': caller(updateCampaign),
  'update-promotion-tier': caller(updateTier),
  'transfer-points': caller(transferPoints),
};

const params = {
  'create-campaign': {},
  'update-campaign': { campaignId: 'Early tide' },
  'update-promotion-tier': { promotionTierId: 'promo_two_bags' },
  'transfer-points': { campaignId: 'camp_crew', memberId: 'CREW-OLUF' },
};

const half = '\ud800';
const entry = { code: 'CREW-INGRID', points: 1, source_id: 'tx-1' };

/** All elements are different. */
const manyCharacters = Array.from({ length: 200_000 }, (_, index) => String.fromCodePoint(0x10_000 + index)).join('');

let deep: unknown = 1;
for (let level = 0; level < 60; level++) deep = { a: deep };

describe('a word that every object knows is an ordinary word:', () => {
  const words = ['constructor', 'toString', 'prototype', 'valueOf', '__proto__'];

  test('as no id of a category', async () => {
    const { credentials: headers } = await loadDemo();
    for (const category of words) {
      for (const operation of ['create-campaign', 'update-campaign', 'update-promotion-tier'] as const) {
        const reply = await calls[operation]({ params: params[operation], headers, body: { category_id: category } });
        expect([reply.status, reply.body.resource_id]).toEqual([404, category]);
      }
    }
  });

  test('as a key of metadata, and inside metadata', async () => {
    const { credentials: headers } = await loadDemo();
    const metadata = {
      constructor: 'Ford',
      toString: 1,
      prototype: { constructor: { name: 'Set' } },
      list: [{ constructor: null }],
    };
    for (const operation of ['create-campaign', 'update-campaign', 'update-promotion-tier'] as const) {
      const reply = await calls[operation]({ params: params[operation], headers, body: { metadata } });
      expect([reply.status, reply.body.metadata]).toMatchObject([200, metadata]);
    }
    const body = { event: 'purchase_made', customer: { source_id: 'crm-101', metadata } };
    expect((await caller(sendEvent)({ headers, body })).body.customer.metadata).toMatchObject(metadata);
    const { body: shown } = await caller(getCustomer)({ params: { customerId: 'crm-101' }, headers });
    expect(shown.metadata).toMatchObject(metadata);
  });

  test('as the name of an event or of a category', async () => {
    const { credentials: headers } = await loadProject({
      categories: words.slice(0, 4).map((id) => ({ id, name: `The ${id}` })),
      event_schema: words.slice(0, 4).map((name) => ({ name, metadata: { constructor: 'number' } })),
    });
    for (const word of words.slice(0, 4)) {
      const body = { event: word, customer: { source_id: 'one' }, metadata: { constructor: 2 } };
      expect((await caller(sendEvent)({ headers, body })).body).toMatchObject({
        type: word,
        metadata: { constructor: 2 },
      });
      const wrong = await caller(sendEvent)({
        headers,
        body: { ...body, metadata: { constructor: 'x', prototype: 1 } },
      });
      expect(wrong.body.details).toContain('metadata.constructor must be a number; metadata.prototype is not defined');
      const campaign = await calls['create-campaign']({ headers, body: { category_id: word } });
      expect([campaign.status, campaign.body.category]).toEqual([200, `The ${word}`]);
    }
  });
});

describe('a value that the table cannot store is refused at its place:', () => {
  test.each<[keyof typeof calls, unknown, string]>([
    ['create-campaign', { description: half }, 'description must be well-formed Unicode'],
    ['update-campaign', { description: half }, 'description must be well-formed Unicode'],
    [
      'update-campaign',
      { discount: { type: 'UNIT', unit_type: half } },
      'discount.unit_type must be well-formed Unicode',
    ],
    [
      'update-campaign',
      { discount: { type: 'PERCENT', percent_off: 5e-324 } },
      'discount.percent_off must have numbers',
    ],
    ['create-campaign', { description: 'a\uffff' }, 'description must not have the characters U+FFFE and U+FFFF'],
    [
      'update-campaign',
      { metadata: { a: ['\ufffe'] } },
      'metadata.a[0] must not have the characters U+FFFE and U+FFFF',
    ],
    ['update-campaign', { metadata: { 'a\uffff': 1 } }, 'a key of metadata must not have the characters U+FFFE and'],
    ['update-promotion-tier', { name: half, banner: half }, 'name must be well-formed Unicode; banner must be well'],
    ['transfer-points', [entry, { ...entry, source_id: 'b', reason: half }], '[1].reason must be well-formed Unicode'],
    ['create-campaign', { access_settings: { a: 1e300 } }, 'access_settings must have numbers'],
    ['update-campaign', { access_settings: { a: { '': 1 } } }, 'access_settings must not have an empty key'],
    ['update-campaign', { access_settings: deep }, 'access_settings must be nested at most'],
    [
      'create-campaign',
      { name: 'x'.repeat(301), description: 'x'.repeat(5_001), voucher: { code_config: { charset: manyCharacters } } },
      'description must have at most 5000 characters; name must have at most 300 characters; voucher.code_config.charset must',
    ],
    ['create-campaign', { voucher: { code_config: { pattern: '🎟'.repeat(301) } } }, 'pattern must have at most 300'],
    ['create-campaign', { category: '🎟'.repeat(301) }, 'category must have at most 300 characters'],
    ['update-campaign', { description: '🎟'.repeat(5_001) }, 'description must have at most 5000 characters'],
    [
      'update-campaign',
      { discount: { type: 'UNIT', unit_type: 'x'.repeat(301) } },
      'discount.unit_type must have at most 300 characters',
    ],
    [
      'update-promotion-tier',
      { name: 'x'.repeat(301), banner: '🎟'.repeat(301), metadata: { text: 'é'.repeat(26_000) } },
      'name must have at most 300 characters; banner must have at most 300 characters; metadata must have at most 51200',
    ],
    ['transfer-points', [{ ...entry, reason: '🎟'.repeat(5_001) }], '[0].reason must have at most 5000 characters'],
  ])('%s', async (operation, body, details) => {
    const { credentials: headers } = await loadDemo();
    const reply = await calls[operation]({ params: params[operation], headers, body });
    expect(reply).toMatchObject({
      status: 400,
      body: { key: 'invalid_payload', details: expect.stringContaining(details) },
    });
  });

  test('at any depth of the body', async () => {
    const { credentials } = await loadDemo();
    const headers = { ...credentials, 'content-type': 'application/json' };
    const nested = '['.repeat(200_000) + ']'.repeat(200_000);
    const send = (operation: keyof typeof calls) =>
      calls[operation]({ params: params[operation], headers, body: nested });
    const details = 'the body is nested too deep; a field can have at most 30 levels';
    for (const operation of ['update-campaign', 'transfer-points'] as const) {
      expect(await send(operation)).toMatchObject({ status: 400, body: { key: 'invalid_payload', details } });
    }
  });

  test('in any length of a list, in few words', async () => {
    const { credentials: headers } = await loadDemo();
    const many = (item: unknown) => Array.from({ length: 100_000 }, () => item);
    const told = async (operation: keyof typeof calls, body: unknown) => {
      const reply = await calls[operation]({ params: params[operation], headers, body });
      return [reply.status, reply.body.details];
    };
    expect(await told('create-campaign', { validation_rules: many(1) })).toEqual([
      400,
      'validation_rules must have at most 1 rule',
    ]);
    expect(
      await told('update-campaign', { validity_day_of_week: many(9), validity_hours: { daily: many(1) } }),
    ).toEqual([
      400,
      'validity_day_of_week must have at most 100 days; validity_hours.daily must have at most 100 windows',
    ]);
    expect(await told('transfer-points', many(1))).toEqual([400, 'the body must have at most 32 entries']);
    expect(await told('update-campaign', { unset_metadata_fields: many(1).slice(0, 5_000) })).toEqual([
      400,
      expect.stringMatching(/; unset_metadata_fields\[99\] must be a string; and 4900 more$/),
    ]);
  });

  test('but not in a field that no operation knows', async () => {
    const { credentials: headers } = await loadDemo();
    const body = { colour: half, size: { '': 5e-324, deep } };
    expect(await calls['update-campaign']({ params: params['update-campaign'], headers, body })).toMatchObject({
      status: 200,
    });
  });
});

const lists = operations.filter(
  ({ route: { body } }) => typeof body === 'object' && body.format === 'json' && v.is(body.schema, []),
);

test.each(lists)('$name refuses a call without a list', async ({ name, handler, route }) => {
  const { credentials: headers } = await loadDemo();
  const { params = {} } = route.example ?? {};
  for (const body of [undefined, {}, 5]) {
    const reply = await caller(handler)({ params, headers, body });
    expect([name, reply.status, reply.body.key]).toEqual([name, 400, 'invalid_payload']);
  }
});
