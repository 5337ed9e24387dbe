import { expect, test } from 'vitest';
import { handler as getAction } from '../../functions/async-actions/get-async-action.ts';
import { handler as getVoucher } from '../../functions/vouchers/get-voucher.ts';
import { handler as updateInBulk } from '../../functions/vouchers/update-vouchers-in-bulk.ts';
import { handler as updateMetadata } from '../../functions/vouchers/update-vouchers-metadata.ts';
import { caller } from '../support/call.ts';
import { deliver, openJobs, runOutbox } from '../support/outbox.ts';
import { loadProject, type TestProject } from '../support/project.ts';

const coupon = { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 1 } };

async function ended({ id, credentials: headers }: TestProject, handler: typeof updateInBulk, body: unknown) {
  const { status, body: started } = await caller(handler)({ headers, body });
  expect(status).toBe(202);
  await runOutbox(id);
  return (await caller(getAction)({ headers, params: { asyncActionId: started.async_action_id } })).body;
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
    { code: 'ONE', metadata: { old: 3 }, active: false },
    { code: 'NOPE', metadata: {} },
    { code: 'TWO', metadata: { new: null } },
    { code: 'ONE', metadata: { last: true } },
  ]);
  expect(action).toMatchObject({ type: 'VOUCHERS.BULK_UPDATE', status: 'DONE', operation_status: 'FAILED' });
  expect(action.result).toMatchObject({ done_count: 3, failed_count: 1 });
  expect(action.result.errors).toMatchObject([{ code: 'NOPE', key: 'not_found' }]);
  const one = await shown(project, 'ONE');
  expect(one).toMatchObject({ metadata: { kept: 1, old: 3, last: true }, active: null });
  expect(one.updated_at).not.toBeNull();
  expect((await shown(project, 'TWO')).metadata).toEqual({ new: null });
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
