import { expect, test } from 'vitest';
import { handler as getAction } from '../../functions/async-actions/get-async-action.ts';
import { handler as createCustomer } from '../../functions/customers/create-customer.ts';
import { handler as getCustomer } from '../../functions/customers/get-customer.ts';
import { handler as importCustomers } from '../../functions/customers/import-customers.ts';
import { handler as createVoucher } from '../../functions/vouchers/create-voucher.ts';
import { handler as createVoucherWithCode } from '../../functions/vouchers/create-voucher-with-code.ts';
import { caller } from '../support/call.ts';
import { runOutbox } from '../support/outbox.ts';
import { loadProject } from '../support/project.ts';

const reserved = 'must not have the characters U+FFFE and U+FFFF';

test.each([
  ...[
    '☕️ 🎁 👩‍👩‍👧',
    '日本',
    '\u0001\u007f\u0085\u2028',
    '\ufdd0',
    '\u{1fffe}\u{10ffff}',
    '\ufeff',
    '\ufffd',
    '\u202egnp',
  ],
])('a customer may have the text %j', async (text) => {
  const { credentials: headers } = await loadProject();
  const body = { source_id: 'one', name: text, metadata: { [text]: text } };
  expect((await caller(createCustomer)({ headers, body })).status).toBe(200);
  expect((await caller(getCustomer)({ headers, params: { customerId: 'one' } })).body).toMatchObject(body);
});

test.each([
  ['U+FFFE', 'a\ufffe', reserved],
  ['U+FFFF', '\uffff', reserved],
  ['half a character', '\ud83d', 'must be well-formed Unicode'],
])('a text with %s is refused at its place, and nothing is stored', async (_, text, reason) => {
  const { credentials: headers } = await loadProject();
  const { status, body } = await caller(createCustomer)({ headers, body: { source_id: 'one', name: text } });
  expect([status, body.key, body.details]).toEqual([400, 'invalid_payload', `name ${reason}`]);
  expect((await caller(getCustomer)({ headers, params: { customerId: 'one' } })).status).toBe(404);
  const [inBody, inPath] = [
    await caller(createVoucher)({ headers, body: { type: 'DISCOUNT_VOUCHER', code: text } }),
    await caller(createVoucherWithCode)({ headers, params: { code: text }, body: { type: 'DISCOUNT_VOUCHER' } }),
  ];
  expect([inBody.status, inPath.status]).toEqual([400, 400]);
});

test('a row of a file with a reserved character fails alone', async () => {
  const { id, credentials: headers } = await loadProject();
  const file = 'source_id,name\ngood,☕️\nbad,a\uffff\n';
  const { body } = await caller(importCustomers)({ headers, body: { file } });
  await runOutbox(id);
  const { result } = (await caller(getAction)({ headers, params: { asyncActionId: body.async_action_id } })).body;
  expect(result).toMatchObject({ done_count: 1, failed_count: 1 });
  expect(result.failed).toMatchObject([{ source_id: 'bad', reason: `name ${reserved}` }]);
});
