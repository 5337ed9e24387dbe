import { expect, test } from 'vitest';
import { handler as getAction } from '../../functions/async-actions/get-async-action.ts';
import { handler as customersInBulk } from '../../functions/customers/update-customers-in-bulk.ts';
import { handler as customersMetadata } from '../../functions/customers/update-customers-metadata.ts';
import { handler as productsInBulk } from '../../functions/products/update-products-in-bulk.ts';
import { handler as productsMetadata } from '../../functions/products/update-products-metadata.ts';
import { handler as getVoucher } from '../../functions/vouchers/get-voucher.ts';
import { handler as updateInBulk } from '../../functions/vouchers/update-vouchers-in-bulk.ts';
import { handler as updateMetadata } from '../../functions/vouchers/update-vouchers-metadata.ts';
import { caller } from '../support/call.ts';
import { filesOf, standingClock, testDependencies, testTime } from '../support/dependencies.ts';
import { deliver, openJobs, runOutbox } from '../support/outbox.ts';
import { loadProject, type TestProject } from '../support/project.ts';

const coupon = { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 1 } };

async function ended({ id, credentials: headers }: TestProject, handler: typeof updateInBulk, body: unknown) {
  const { status, body: started } = await caller(handler)({ headers, body });
  expect(status).toBe(202);
  await runOutbox(id);
  return (await caller(getAction)({ headers, params: { asyncActionId: started.async_action_id } })).body;
}

/** Returns the lines of the report that the action's result names. */
function reportOf({ id }: TestProject, { result, id: actionId }: { id: string; result: { reports: string[] } }) {
  const place = `${actionId}.csv`;
  expect(result.reports).toEqual([`https://files.example/reports/${id}/${place}`]);
  return filesOf(id).get(`reports/${id}/${place}`)?.toString().trimEnd().split('\r\n');
}

const shown = async ({ credentials: headers }: TestProject, code: string) =>
  (await caller(getVoucher)({ headers, params: { code } })).body;

test('metadata is merged into vouchers by their rows, and unknown codes are named', async () => {
  const project = await loadProject({
    vouchers: [
      { ...coupon, code: 'ONE', metadata: { kept: 1, old: 2 } },
      { ...coupon, code: 'TWO' },
    ],
  });
  const action = await ended(project, updateInBulk, [
    { code: 'ONE', metadata: { old: 3 }, gift: { amount: 5 } },
    { code: 'NOPE', metadata: {} },
    { code: 'TWO', metadata: { new: null } },
    { code: 'ONE', metadata: { last: true } },
  ]);
  expect(action).toMatchObject({ type: 'VOUCHERS.BULK_UPDATE', status: 'DONE', operation_status: 'FAILED' });
  expect(action.result).toMatchObject({ done_count: 3, failed_count: 1 });
  expect(action.result.errors).toMatchObject([{ code: 'NOPE', key: 'not_found' }]);
  expect(reportOf(project, action)).toEqual([
    'row,code,found,updated,key,details',
    '1,ONE,true,true,,',
    expect.stringMatching(/^2,NOPE,false,false,not_found,/),
    '3,TWO,true,true,,',
    '4,ONE,true,true,,',
  ]);
  const one = await shown(project, 'ONE');
  expect(one).toMatchObject({ metadata: { kept: 1, old: 3, last: true }, active: null });
  expect(one.updated_at).not.toBeNull();
  expect((await shown(project, 'TWO')).metadata).toEqual({ new: null });
});

test('vouchers are switched by their rows, and rows that say neither metadata nor active are refused', async () => {
  const vouchers = ['ON', 'OFF', 'OPEN', 'BOTH'].map((code) => ({ ...coupon, code, active: code !== 'OFF' }));
  const project = await loadProject({ vouchers });
  const action = await ended(project, updateInBulk, [
    { code: 'ON', active: false },
    { code: 'OFF', active: true },
    { code: 'OPEN', active: null },
    { code: 'BOTH', active: false, metadata: { shelf: 3 } },
    { code: 'NOPE', active: true },
  ]);
  expect(action.result).toMatchObject({ done_count: 4, failed_count: 1 });
  const states = await Promise.all(vouchers.map(async ({ code }) => (await shown(project, code)).active));
  expect(states).toEqual([false, true, null, false]);
  expect((await shown(project, 'BOTH')).metadata).toEqual({ shelf: 3 });
  const body = [{ code: 'ON', active: true }, { code: 'OFF' }, { code: 'OPEN', active: 'yes' }];
  const refused = await caller(updateInBulk)({ headers: project.credentials, body });
  expect([refused.status, refused.body.key]).toEqual([400, 'invalid_payload']);
  expect(refused.body.details).toContain('[1] must have metadata or active');
  expect(refused.body.details).toContain('[2].active');
});

test('the same metadata is merged into many vouchers', async () => {
  const project = await loadProject({ vouchers: ['ONE', 'TWO'].map((code) => ({ ...coupon, code })) });
  const body = { codes: ['ONE', 'TWO', 'NOPE'], metadata: { season: 'spring' } };
  const action = await ended(project, updateMetadata, body);
  expect(action).toMatchObject({ type: 'VOUCHERS.METADATA_UPDATE', result: { done_count: 2, failed_count: 1 } });
  for (const code of body.codes.slice(0, 2)) expect((await shown(project, code)).metadata).toEqual(body.metadata);
});

test('concurrent actions on one voucher lose no update', async () => {
  const project = await loadProject({ vouchers: [{ ...coupon, code: 'ONE' }] });
  const names = Array.from({ length: 10 }, (_, index) => `key-${index}`);
  for (const name of names) {
    const body = [{ code: 'ONE', metadata: { [name]: 1 } }];
    await caller(updateInBulk)({ headers: project.credentials, body });
  }
  await Promise.all((await openJobs(project.id)).map((job) => deliver([job])));
  expect(Object.keys((await shown(project, 'ONE')).metadata).sort()).toEqual(names);
});

test('a wrong row is refused with its place', async () => {
  const { credentials: headers } = await loadProject();
  const { status, body } = await caller(updateInBulk)({
    headers,
    body: [{ code: 'A', metadata: 1 }, { metadata: {} }],
  });
  expect([status, body.key]).toEqual([400, 'invalid_payload']);
  expect(body.details).toContain('[0].metadata');
  expect(body.details).toContain('[1].code is required');
});

test.each([
  ['customers', customersInBulk, customersMetadata, { customers: [{ id: 'cust_old', source_id: 'old' }] }],
  ['products', productsInBulk, productsMetadata, { products: [{ id: 'prod_old', source_id: 'old' }] }],
] as const)('a report on %s tells which of them the update created', async (_, inBulk, metadata, lists) => {
  const project = await loadProject({ ...lists });
  const rows = ['old', 'new', 'new'].map((source_id) => ({ source_id, metadata: { vip: true } }));
  expect(reportOf(project, await ended(project, inBulk, rows))).toEqual([
    'row,source_id,found,updated,key,details',
    '1,old,true,true,,',
    '2,new,false,true,,',
    '3,new,true,true,,',
  ]);
  const body = { source_ids: ['newer', 'new'], metadata: { vip: false } };
  expect(reportOf(project, await ended(project, metadata, body))?.slice(1)).toEqual([
    '1,newer,false,true,,',
    '2,new,true,true,,',
  ]);
});

test('a report disappears from the result when its file does, and tells until when it stood', async () => {
  const project = await loadProject({ vouchers: [{ ...coupon, code: 'ONE' }] });
  const { id, result } = await ended(project, updateInBulk, [{ code: 'ONE', metadata: { a: 1 } }]);
  expect(result.reports_available_till).toBe('2026-06-22T12:00:00.000Z');
  const later = testDependencies({ clock: standingClock(new Date(testTime.getTime() + 8 * 86_400_000)) });
  const { body } = await caller(getAction, later)({ headers: project.credentials, params: { asyncActionId: id } });
  expect(body.result).toMatchObject({ reports: [], reports_available_till: '2026-06-22T12:00:00.000Z' });
});
