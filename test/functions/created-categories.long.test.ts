import { expect, test } from 'vitest';
import type { Endpoint } from '#kernel/http/operation.ts';
import { handler as getAction } from '../../functions/async-actions/get-async-action.ts';
import { handler as importIntoCampaign } from '../../functions/campaigns/import-campaign-vouchers.ts';
import { handler as importFileIntoCampaign } from '../../functions/campaigns/import-campaign-vouchers-csv.ts';
import { handler as listCategories } from '../../functions/categories/list-categories.ts';
import { handler as importVouchers } from '../../functions/vouchers/import-vouchers.ts';
import { handler as importFile } from '../../functions/vouchers/import-vouchers-csv.ts';
import { caller } from '../support/call.ts';
import { mortal } from '../support/mortal.ts';
import { deliver, openJobs, runOutbox } from '../support/outbox.ts';
import { loadProject, type TestProject } from '../support/project.ts';

const discount = { type: 'PERCENT', percent_off: 10 };
const coupon = { type: 'DISCOUNT_VOUCHER', discount };

const load = () =>
  loadProject({
    categories: [{ id: 'cat_1', name: 'One', hierarchy: 1 }],
    campaigns: [{ id: 'camp_1', name: 'Codes', campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC', voucher: coupon }],
  });

const project = await load();

async function start(handler: Endpoint, body: unknown, { credentials: headers } = project): Promise<string> {
  const { status, body: started } = await caller(handler)({ headers, body, params: { campaignId: 'camp_1' } });
  expect(status).toBeLessThan(300);
  return started.async_action_id;
}

async function resultOf(asyncActionId: string, { id, credentials: headers } = project) {
  await runOutbox(id);
  return (await caller(getAction)({ headers, params: { asyncActionId } })).body.result;
}

const namesOf = async ({ credentials: headers }: TestProject) => {
  const { body } = await caller(listCategories)({ headers });
  return body.data.map(({ name }: { name: string }) => name).toSorted();
};

const rows = (some: readonly (readonly [code: string, category: string])[]) =>
  some.map(([code, category]) => ({ code, ...coupon, category }));
const file = (some: readonly (readonly [code: string, category: string])[]) => {
  const lines = some.map(([code, category]) => `${code},DISCOUNT_VOUCHER,10,PERCENT,${category}`);
  return { file: ['Code,Voucher Type,Value,Discount Type,Category', ...lines].join('\n') };
};

test.each([
  ['rows', importVouchers, rows],
  ['rows of a campaign', importIntoCampaign, rows],
  ['a file', importFile, file],
  ['a file of a campaign', importFileIntoCampaign, file],
])('an import of %s names the categories that it created', async (name, handler, sent) => {
  const [fresh, other] = [`Fresh ${name}`, `Other ${name}`];
  const all = [fresh, fresh, other, 'One', 'cat_1', ''].map((category, at) => [`${name} ${at}`, category] as const);
  const { done_count, categories_created } = await resultOf(await start(handler, sent(all)));
  expect([done_count, categories_created?.toSorted()]).toEqual([all.length, [fresh, other]]);
  const again = [[`${name} again`, fresh]] as const;
  expect(await resultOf(await start(handler, sent(again)))).not.toHaveProperty('categories_created');
});

test('a row that fails creates no category, and none is named', async () => {
  const failing = [
    { code: 'DONE', ...coupon, category: 'With a voucher' },
    { code: 'FAILS', category: 'With nothing' },
  ];
  const result = await resultOf(await start(importVouchers, failing));
  expect(result).toMatchObject({ failed: [{ code: 'FAILS' }], categories_created: ['With a voucher'] });
});

test('of twenty imports at once that name one category, one creates it', async () => {
  const own = await load();
  const started = await Promise.all(
    Array.from({ length: 20 }, (_, at) => start(importVouchers, rows([[`AT-ONCE-${at}`, 'Shared']]), own)),
  );
  await Promise.all((await openJobs(own.id)).map((job) => deliver([job])));
  const results = await Promise.all(started.map((id) => resultOf(id, own)));
  expect(results.flatMap(({ categories_created = [] }) => categories_created)).toEqual(['Shared']);
});

test('workers that die half-way and get each message twice name each category once', async () => {
  const own = await load();
  const all = Array.from({ length: 60 }, (_, at) => [`C-${at}`, `Shelf ${at % 12}`] as const);
  const id = await start(importIntoCampaign, rows(all), own);
  const [job = {}] = await openJobs(own.id);
  for (const [deaths, left] of [7, 8, 9, 10, 11].entries()) {
    const worker = () => deliver([job], mortal(left, deaths % 2 === 0));
    await Promise.all([worker(), worker()]);
  }
  const { done_count, categories_created } = await resultOf(id, own);
  const shelves = Array.from({ length: 12 }, (_, at) => `Shelf ${at}`).toSorted();
  expect([done_count, categories_created.toSorted()]).toEqual([60, shelves]);
  expect(await namesOf(own)).toEqual(['One', ...shelves]);
});

test('an import names up to a hundred categories', async () => {
  const own = await load();
  const all = Array.from({ length: 105 }, (_, at) => [`C-${at}`, `Shelf ${at}`] as const);
  const { done_count, categories_created } = await resultOf(await start(importVouchers, rows(all), own), own);
  expect([done_count, new Set(categories_created).size, categories_created.length]).toEqual([105, 100, 100]);
});
