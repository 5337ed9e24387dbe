import { describe, expect, test } from 'vitest';
import { findOperation } from '../../infra/operations.ts';
import { caller } from '../support/call.ts';
import { runOutbox } from '../support/outbox.ts';
import { loadProject } from '../support/project.ts';

const coupon = { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 1 } };
const required = { size: { type: 'number', optional: false } };

/** A project with schemas of these resources. `call` sends a request to an operation. */
async function world(properties: object, resources: readonly string[], lists: object = {}) {
  const metadata_schemas = resources.map((related_object) => ({ related_object, properties }));
  const project = await loadProject({ ...lists });
  for (const schema of metadata_schemas) {
    const create = caller(findOperation('create-metadata-schema').handler);
    expect((await create({ params: { projectId: project.id }, body: schema })).status).toBe(200);
  }
  const call = (name: string, request: object) =>
    caller(findOperation(name).handler)({ headers: project.credentials, ...request });
  return { project, call };
}

const codes = { vouchers: [{ ...coupon, code: 'A', metadata: { size: 1 } }] };

describe('required keys', () => {
  test.each<[string, string, object, string]>([
    [
      'campaign',
      'create-campaign',
      { body: { name: 'A', campaign_type: 'DISCOUNT_COUPONS', voucher: coupon } },
      'metadata',
    ],
    ['voucher', 'create-voucher', { body: { ...coupon, code: 'NEW' } }, 'metadata'],
    ['customer', 'create-customer', { body: { source_id: 'a' } }, 'customer.metadata'],
    ['product', 'create-product', { body: { name: 'Tin' } }, 'metadata'],
    [
      'reward',
      'create-reward',
      { body: { name: 'Tin', type: 'COIN', parameters: { coin: { exchange_ratio: 1 } } } },
      'metadata',
    ],
    ['order', 'create-order', { body: { amount: 100 } }, 'metadata'],
    ['order_item', 'create-order', { body: { items: [{ quantity: 1, amount: 1 }] } }, 'items[0].metadata'],
    ['publication', 'create-publication', { body: { customer: { source_id: 'a' }, voucher: 'A' } }, 'metadata'],
    ['publication', 'create-publication-by-query', { query: 'voucher=A&customer[source_id]=a' }, 'metadata'],
    ['redemption', 'redeem-redeemables', { body: { redeemables: [{ object: 'voucher', id: 'A' }] } }, 'metadata'],
    [
      'order',
      'redeem-redeemables',
      { body: { redeemables: [{ object: 'voucher', id: 'A' }], order: { amount: 100 } } },
      'order.metadata',
    ],
    [
      'order_item',
      'redeem-redeemables',
      { body: { redeemables: [{ object: 'voucher', id: 'A' }], order: { items: [{ quantity: 1, amount: 1 }] } } },
      'order.items[0].metadata',
    ],
    [
      'customer',
      'redeem-redeemables',
      { body: { redeemables: [{ object: 'voucher', id: 'A' }], customer: { source_id: 'a' } } },
      'customer.metadata',
    ],
  ])('of %s are missed in %s', async (resource, name, request, place) => {
    const { call } = await world(required, [resource], codes);
    const { status, body } = await call(name, request);
    expect([status, body.key, body.details]).toEqual([
      400,
      'metadata_validation_failed',
      `${place}.size is required by the schema ${resource}`,
    ]);
  });

  test('are not missed in a validation, which stores nothing', async () => {
    const { call } = await world(required, ['order', 'order_item', 'redemption', 'customer'], codes);
    const body = {
      redeemables: [{ object: 'voucher', id: 'A' }],
      order: { items: [{ quantity: 1, amount: 100 }] },
      customer: { source_id: 'a' },
    };
    expect((await call('validate-redeemables', { body })).body.valid).toBe(true);
    const full = {
      ...body,
      metadata: { size: 1 },
      order: { items: [{ quantity: 1, amount: 100, metadata: { size: 1 } }], metadata: { size: 1 } },
      customer: { source_id: 'a', metadata: { size: 1 } },
    };
    expect((await call('redeem-redeemables', { body: full })).status).toBe(200);
  });

  test('do not stop vouchers that the service makes', async () => {
    const { call } = await world(required, ['voucher', 'campaign']);
    const body = {
      name: 'One',
      campaign_type: 'DISCOUNT_COUPONS',
      type: 'STANDALONE',
      voucher: { ...coupon, code: 'ONE' },
      vouchers_count: 1,
      metadata: { size: 1 },
    };
    expect((await call('create-campaign', { body })).status).toBe(200);
    expect((await call('get-voucher', { params: { code: 'ONE' } })).status).toBe(200);
  });
});

describe('the schema of a voucher', () => {
  test.each([
    [true, 'voucher'],
    [false, 'campaign'],
  ])('with use_voucher_metadata_schema %j is the schema of a %s', async (use_voucher_metadata_schema, resource) => {
    const { call } = await world({ size: { type: 'number' } }, [resource]);
    const campaign = { name: 'A', campaign_type: 'DISCOUNT_COUPONS', voucher: coupon, use_voucher_metadata_schema };
    const { body: made } = await call('create-campaign', { body: campaign });
    const params = { campaignId: made.id };
    const wrong = { metadata: { size: 'ten' } };
    const refused = 'metadata.size must be a number, but is "ten"';
    expect((await call('add-vouchers', { params, body: { code: 'A', ...wrong } })).body.details).toBe(refused);
    expect((await call('add-vouchers', { params, query: 'vouchers_count=2', body: wrong })).body.details).toBe(refused);
    expect((await call('add-vouchers', { params, body: { code: 'A', metadata: { size: 1 } } })).status).toBe(200);
    expect((await call('update-voucher', { params: { code: 'A' }, body: wrong })).body.details).toBe(refused);
    const alone = await call('create-voucher', { body: { ...coupon, code: 'B', ...wrong } });
    expect(alone.status).toBe(resource === 'voucher' ? 400 : 200);
  });
});

test('cells of a file have the declared types, and rows that break the schema fail with their reason', async () => {
  const properties = {
    size: { type: 'number' },
    vip: { type: 'boolean' },
    since: { type: 'date' },
    tags: { type: 'string', array: true, max_length: 5 },
    sizes: { type: 'number', array: true },
    zip: { type: 'string' },
    box: { type: 'object' },
  };
  const { project, call } = await world(properties, ['customer', 'product', 'voucher']);
  const file = [
    'source_id,size,vip,since,tags,sizes,zip,box,other',
    'a,10,TRUE,2026-01-31,"new, blue","1,2.5",true,"{""a"":1}",true',
    'b,ten,true,2026-01-31,new,1,0150,,',
    'c,1,,2026-02-31,,,,,',
    'd,1,,,"new,longer","1,b",,,',
  ].join('\n');
  const { status, body } = await call('import-customers', { body: { file } });
  expect(status).toBe(202);
  await runOutbox(project.id);
  const { body: action } = await call('get-async-action', { params: { asyncActionId: body.async_action_id } });
  expect(action.result.failed).toMatchObject([
    { row: 2, source_id: 'b', reason: 'metadata.size must be a number, but is "ten"' },
    { row: 3, source_id: 'c', reason: expect.stringContaining('metadata.since must be an existing date') },
    { row: 4, source_id: 'd', reason: expect.stringContaining('metadata.tags[1] must have at most 5 characters') },
  ]);
  expect((await call('get-customer', { params: { customerId: 'a' } })).body.metadata).toEqual({
    size: 10,
    vip: true,
    since: '2026-01-31',
    tags: ['new', 'blue'],
    sizes: [1, 2.5],
    zip: 'true',
    box: { a: 1 },
    other: true,
  });
});

test('imported orders are refused one by one', async () => {
  const { project, call } = await world({ size: { type: 'number' } }, ['order']);
  const orders = [
    { source_id: 'a', amount: 1, metadata: { size: 1 } },
    { source_id: 'b', amount: 1, metadata: { size: 'ten' } },
  ];
  const { status, body } = await call('import-orders', { body: orders });
  await runOutbox(project.id);
  const action =
    status === 200 && body.async_action_id === undefined
      ? body
      : await call('get-async-action', { params: { asyncActionId: body.async_action_id } });
  expect(JSON.stringify(action)).toContain('metadata.size must be a number');
  expect((await call('get-order', { params: { orderId: 'a' } })).status).toBe(200);
  expect((await call('get-order', { params: { orderId: 'b' } })).status).toBe(404);
});

test('a rolled back redemption keeps its schema, and so does its customer', async () => {
  const { call } = await world({ size: { type: 'number' } }, ['redemption', 'customer'], codes);
  const redeeming = { redeemables: [{ object: 'voucher', id: 'A' }], customer: { source_id: 'a' } };
  const { body } = await call('redeem-redeemables', { body: redeeming });
  const params = { redemptionId: body.redemptions[0].id };
  for (const sent of [{ metadata: { size: 'ten' } }, { customer: { source_id: 'a', metadata: { size: 'ten' } } }])
    expect((await call('rollback-redemption', { params, body: sent })).body.details).toContain(
      'metadata.size must be a number',
    );
});
