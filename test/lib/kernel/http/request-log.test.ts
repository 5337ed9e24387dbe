import { expect, test } from 'vitest';
import { createDynamodbClient } from '#kernel/http/composition.ts';
import { createDocumentClient } from '#kernel/table/connection.ts';
import { handler as redeem } from '../../../../functions/redemptions/redeem-redeemables.ts';
import { handler as enableHandler } from '../../../../functions/vouchers/enable-voucher.ts';
import { handler } from '../../../../functions/vouchers/get-voucher.ts';
import { caller } from '../../../support/call.ts';
import { testDependencies } from '../../../support/dependencies.ts';
import { loadProject } from '../../../support/project.ts';
import { coupon } from '../../../support/redeeming.ts';
import { bearer, issueToken } from '../../../support/tokens.ts';

const code = 'SECRET-CODE-1';

const project = await loadProject({
  vouchers: [
    { code, type: 'DISCOUNT_VOUCHER', active: false },
    coupon('LOGGED-CODE', { redemption: { quantity: 100 } }),
  ],
});

test('each request writes one JSON line with the caller, the call and its cost', async () => {
  const dependencies = testDependencies();
  const { headers } = await caller(enableHandler, dependencies)({ params: { code }, headers: project.credentials });
  expect(dependencies.lines).toHaveLength(1);
  expect(JSON.parse(dependencies.lines[0] ?? '')).toEqual({
    level: 'info',
    time: '2026-06-15T12:00:00.000Z',
    request_id: headers['X-Request-Id'],
    route: 'POST /v1/vouchers/{code}/enable',
    project_id: project.id,
    app_id: project.credentials['x-app-id'],
    credentials: 'app_key',
    status: 200,
    written: [expect.stringMatching(/^VOUCHER v_[\w-]{22}$/)],
    written_count: 1,
    duration_ms: 0,
    dynamodb_calls: 4,
    read_units: expect.any(Number),
    write_units: expect.any(Number),
  });
});

test('no line has a code or credential, whether the call succeeds, is refused or fails', async () => {
  const unreachable = createDocumentClient(createDynamodbClient('http://127.0.0.1:1'));
  const dependencies = testDependencies();
  const broken = testDependencies({ dynamodb: unreachable, log: dependencies.log });
  const token = project.credentials['x-app-token'] ?? '';
  await caller(handler, dependencies)({ params: { code }, headers: project.credentials });
  await caller(handler, dependencies)({ params: { code: `${code}-NOPE` }, headers: project.credentials });
  await caller(handler, dependencies)({ params: { code }, headers: { ...project.credentials, 'x-app-id': 'x' } });
  await caller(handler, broken)({ params: { code }, headers: project.credentials });
  expect(dependencies.lines).toHaveLength(4);
  for (const line of dependencies.lines) {
    expect(line).not.toContain(code);
    expect(line).not.toContain(token);
  }
});

test("a line names the written items and the credentials' id, and neither codes, source ids nor the refused values", async () => {
  const dependencies = testDependencies();
  const lineOf = () => JSON.parse(dependencies.lines.at(-1) ?? '');
  const call = caller(redeem, dependencies);
  const body = {
    redeemables: [{ object: 'voucher', id: 'LOGGED-CODE' }],
    customer: { source_id: 'ada@shop.example' },
    order: { amount: 500, source_id: 'till-7-1' },
  };
  const { body: done } = await call({ headers: project.credentials, body });
  const [{ id, customer_id, order, voucher }] = done.redemptions;
  expect(lineOf()).toMatchObject({ app_id: project.credentials['x-app-id'], credentials: 'app_key' });
  expect(lineOf().written).toEqual(
    expect.arrayContaining([
      `REDEMPTION ${id}`,
      `VOUCHER ${voucher.id}`,
      `ORDER ${order.id}`,
      `CUSTOMER ${customer_id}`,
    ]),
  );
  expect(dependencies.lines.join()).not.toMatch(/LOGGED-CODE|ada@shop|till-7/);
  const headers = bearer(await issueToken(project.credentials, 'redemptions', dependencies));
  await call({ headers, body: { ...body, redeemables: [{ object: 'voucher', id: 'NOBODYS' }] } });
  expect(lineOf()).toMatchObject({ app_id: project.credentials['x-app-id'], credentials: 'token' });
  expect(lineOf().written).toBeUndefined();
});

test('an unexpected failure is a 500 that tells the caller nothing and the log everything', async () => {
  const dependencies = testDependencies({ dynamodb: createDocumentClient(createDynamodbClient('http://127.0.0.1:1')) });
  const { status, body } = await caller(handler, dependencies)({ params: { code }, headers: project.credentials });
  expect(status).toBe(500);
  expect(body).toMatchObject({ key: 'internal_error', details: 'try again; if it lasts, report the request id' });
  expect(JSON.parse(dependencies.lines[0] ?? '')).toMatchObject({
    level: 'error',
    status: 500,
    error_key: 'internal_error',
    request_id: body.request_id,
    cause: expect.any(String),
    stack: expect.any(String),
  });
});
