import { expect, test } from 'vitest';
import { CredentialCache } from '#kernel/http/credential-cache.ts';
import { handler as createVoucher } from '../../functions/vouchers/create-voucher.ts';
import { handler as listVouchers } from '../../functions/vouchers/list-vouchers.ts';
import { handler as validate } from '../../functions/vouchers/validate-voucher.ts';
import { caller } from '../support/call.ts';
import { standingClock, testDependencies } from '../support/dependencies.ts';
import { asServer, manageProjects, projectBody } from '../support/managed-projects.ts';

/** One container, such as the local server, changes a project and serves its callers. */
async function openContainer() {
  const clock = standingClock();
  const dependencies = testDependencies({ clock, credentialCache: new CredentialCache() });
  const own = manageProjects(dependencies);
  const { body: made } = await own.create(projectBody({ timezone: 'UTC' }));
  const headers = asServer(made.server_side_key);
  const ask = (handler: Parameters<typeof caller>[0], request: object = {}) =>
    caller(handler, dependencies)({ headers, ...request });
  return { own, clock, ask, id: made.id };
}

test('the container that deletes a project refuses its keys at once, also if it knows them', async () => {
  const { own, ask, id } = await openContainer();
  expect((await ask(listVouchers)).status).toBe(200);
  expect((await own.remove(id)).status).toBe(204);
  expect((await ask(listVouchers)).status).toBe(401);
  const body = { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 1 } };
  expect((await ask(createVoucher, { body })).status).toBe(401);
});

test('the container that changes a project serves it by the new settings at once', async () => {
  const { own, ask, id, clock } = await openContainer();
  const body = {
    ...{ code: 'NIGHT', type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 1 } },
    validity_hours: { daily: [{ start_time: '00:00', expiration_time: '01:00' }] },
  };
  expect((await ask(createVoucher, { body })).status).toBe(200);
  clock.set('2026-06-14T22:30:00Z');
  const isValid = async () =>
    (await ask(validate, { params: { code: 'NIGHT' }, body: { order: { amount: 100 } } })).body.valid;
  expect(await isValid()).toBe(false);
  await own.update(id, { timezone: 'Europe/Oslo' });
  expect(await isValid()).toBe(true);
});
