import { patience } from './service.ts';
import { expectValues, readPath, readText, recallValue, type Step, step, Unexpected } from './step.ts';
import { tillSteps } from './till-steps.ts';

/**
 * Lists the calls of `npm run smoke` in their order. Each uses objects of earlier calls, and the last calls delete
 * them.
 */

const path = encodeURIComponent;

const surface: Step[] = [
  step('GET /openapi.json', 'the address, the gateway, and a function that reads no table', async ({ call }) =>
    expectValues(await call('GET /openapi.json', 200, { credentials: false }), { openapi: '3.1.0' }),
  ),
  step('GET /docs', 'pages for people', async ({ call }) => {
    const { headers } = await call('GET /docs', 200, { credentials: false });
    if (!headers.get('content-type')?.startsWith('text/html')) throw new Unexpected('/docs is not HTML');
  }),
  step('GET /v1/smoke-unknown', "an unknown path gets the service's error body, not the gateway's", async ({ call }) =>
    expectValues(await call('GET /v1/smoke-unknown', 404), { key: 'not_found' }),
  ),
  step('GET /v1/categories', 'a call without credentials is refused', async ({ call }) =>
    expectValues(await call('GET /v1/categories', 401, { credentials: false }), { key: 'unauthorized' }),
  ),
  step('POST /v1/oauth/token', 'tokens are issued, so the role may write them', async ({ call }, { ids }) => {
    const body = new URLSearchParams({ grant_type: 'client_credentials', scope: 'categories' });
    ids.set('token', readText(await call('POST /v1/oauth/token', 200, { body }), 'access_token'));
  }),
  step('GET /v1/categories', 'another function accepts that token', async ({ call }, walk) => {
    const headers = { authorization: `Bearer ${recallValue(walk, 'token')}` };
    expectValues(await call('GET /v1/categories', 200, { headers, credentials: false }), { object: 'list' });
  }),
  step('POST /v1/vouchers', 'a body that is wrong is refused with its path', async ({ call }) => {
    const body = { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 'ten' } };
    expectValues(await call('POST /v1/vouchers', 400, { body }), { key: 'invalid_payload' });
  }),
];

const objects: Step[] = [
  step('POST /v1/categories', 'a transaction is written', async ({ call }, { name, ids }) => {
    const body = { name, hierarchy: 900 };
    const headers = { 'idempotency-key': name };
    ids.set('category', readText(await call('POST /v1/categories', 200, { body, headers }), 'id'));
  }),
  step(
    'POST /v1/categories',
    'a repeated call with the same Idempotency-Key is carried out once',
    async ({ call }, walk) => {
      const { name } = walk;
      const body = { name, hierarchy: 900 };
      const again = await call('POST /v1/categories', 200, { body, headers: { 'idempotency-key': name } });
      expectValues(again, { id: recallValue(walk, 'category') });
    },
  ),
  step('POST /v1/customers', "an object with the shop's own id is created", async ({ call }, { name, ids }) => {
    const body = { source_id: name, metadata: { smoke: true } };
    ids.set('customer', readText(await call('POST /v1/customers', 200, { body }), 'id'));
  }),
  step('GET /v1/customers/{customerId}', 'the customer is found by that id', async ({ call }, walk) =>
    expectValues(await call(`GET /v1/customers/${walk.name}`, 200), { id: recallValue(walk, 'customer') }),
  ),
  step(
    'POST /v1/products',
    'an object is created, and its id becomes free again after the deletion',
    async ({ call }, { name, ids }) => {
      const body = { source_id: name, name, price: 2_500 };
      ids.set('product', readText(await call('POST /v1/products', 200, { body }), 'id'));
    },
  ),
  step('POST /v1/validation-rules', 'a rule compiles', async ({ call }, { name, ids }) => {
    const rules = { 1: { name: 'order.amount', conditions: { $more_than_or_equal: [10_000] } }, logic: '1' };
    ids.set('rule', readText(await call('POST /v1/validation-rules', 200, { body: { name, rules } }), 'id'));
  }),
];

const codes: Step[] = [
  step('POST /v1/campaigns', 'the stream’s first worker hands work to a queue', async ({ call }, { name, ids }) => {
    const voucher = {
      type: 'DISCOUNT_VOUCHER',
      discount: { type: 'PERCENT', percent_off: 10 },
      redemption: { quantity: 1 },
    };
    const body = { name, campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC', vouchers_count: 50, voucher };
    ids.set('campaign', readText(await call('POST /v1/campaigns', 200, { body }), 'id'));
  }),
  step(
    'GET /v1/campaigns/{campaignId}',
    'a worker receives the work from the queue and generates fifty codes',
    async ({ until }, walk) => {
      const isDone = (body: unknown) => readPath(body, 'vouchers_generation_status') === 'DONE';
      await until(`GET /v1/campaigns/${recallValue(walk, 'campaign')}`, isDone);
    },
  ),
  step(
    'POST /v1/validation-rules/{validationRuleId}/assignments',
    'a rule applies immediately, in every container',
    async ({ call }, walk) => {
      const body = { campaign: recallValue(walk, 'campaign') };
      await call(`POST /v1/validation-rules/${recallValue(walk, 'rule')}/assignments`, 200, { body });
    },
  ),
  step('GET /v1/vouchers', 'the indexes answer', async ({ until }, walk) => {
    const route = `GET /v1/vouchers?campaign_id=${recallValue(walk, 'campaign')}&limit=100`;
    expectValues(await until(route, (found) => readPath(found, 'vouchers.49') !== undefined), { total: 50 });
  }),
  step('POST /v1/publications', 'a customer gets a free code', async ({ call }, { name, ids }) => {
    const body = { campaign: { name, count: 1 }, customer: { source_id: name } };
    ids.set('code', readText(await call('POST /v1/publications', 200, { body }), 'voucher.code'));
  }),
];

const files: Step[] = [
  step('GET /v1/assets/qr/{id}', 'a picture of a code is public', async ({ call }, walk) => {
    const { pathname } = new URL(recallValue(walk, 'picture'));
    const { headers } = await call(`GET ${pathname}`, 200, { credentials: false });
    if (!headers.get('content-type')?.startsWith('image/')) throw new Unexpected('the reply is not a picture');
  }),
  step('POST /v1/vouchers/importCSV', 'a file gets through the gateway', async ({ call }, { name, ids }) => {
    const body = new FormData();
    const rows = `Code,Voucher Type,Value,Discount Type\n${name}-CSV,DISCOUNT_VOUCHER,12.50,AMOUNT\n`;
    body.set('file', new Blob([rows], { type: 'text/csv' }), 'codes.csv');
    ids.set('import', readText(await call('POST /v1/vouchers/importCSV', 202, { body }), 'async_action_id'));
  }),
  step(
    'GET /v1/async-actions/{asyncActionId}',
    'the worker of imports reads the bucket',
    async ({ until, call }, walk) => {
      const isDone = (body: unknown) => readPath(body, 'status') === 'DONE';
      expectValues(await until(`GET /v1/async-actions/${recallValue(walk, 'import')}`, isDone), {
        'result.done_count': 1,
      });
      const imported = await call(`GET /v1/vouchers/${path(`${walk.name}-CSV`)}`, 200);
      expectValues(imported, { 'discount.amount_off': 1_250 });
    },
  ),
  step('POST /v1/exports', 'an export is started', async ({ call }, { name, ids }) => {
    const filters = { code: { conditions: { $is: name } } };
    const body = { exported_object: 'voucher', parameters: { fields: ['code'], filters } };
    ids.set('export', readText(await call('POST /v1/exports', 200, { body }), 'id'));
  }),
  step(
    'GET /v1/exports/{exportId}',
    'the worker of exports writes to the bucket, and its address can be read',
    async ({ until }, walk) => {
      const isDone = (body: unknown) => readPath(body, 'status') === 'DONE';
      const done = await until(`GET /v1/exports/${recallValue(walk, 'export')}`, isDone);
      const file = await fetch(readText(done, 'result.url'), { signal: AbortSignal.timeout(patience.callInMs) });
      const text = await file.text();
      if (!file.ok || !text.includes(walk.name))
        throw new Unexpected(`the file answered ${file.status}: ${text.slice(0, 200)}`);
    },
  ),
];

/** Deletes the objects of the calls before. Orders, redemptions and exports stay, as in a shop. */
const tidying: Step[] = [
  step(
    'DELETE /v1/campaigns/{campaignId}',
    'a deleted campaign is missing immediately, and its codes follow after the reply',
    async ({ call }, walk) => {
      const route = `/v1/campaigns/${recallValue(walk, 'campaign')}`;
      await call(`DELETE ${route}?force=true`, 202);
      await call(`GET ${route}`, 404);
    },
  ),
  step('DELETE /v1/vouchers/{code}', 'codes are deleted permanently', async ({ call }, { name }) => {
    for (const code of [name, `${name}-CSV`]) await call(`DELETE /v1/vouchers/${path(code)}?force=true`, 204);
  }),
  step(
    'DELETE /v1/validation-rules, products, categories, customers',
    'nothing else is left',
    async ({ call }, walk) => {
      await call(`DELETE /v1/validation-rules/${recallValue(walk, 'rule')}`, 204);
      await call(`DELETE /v1/products/${recallValue(walk, 'product')}?force=true`, 204);
      await call(`DELETE /v1/categories/${recallValue(walk, 'category')}`, 204);
      await call(`POST /v1/customers/${recallValue(walk, 'customer')}/permanent-deletion`, 200);
    },
  ),
];

export const steps: readonly Step[] = [...surface, ...objects, ...codes, ...tillSteps, ...files, ...tidying];
