import { beforeAll, expect, test } from 'vitest';
import { handler as enableHandler } from '../../../functions/vouchers/enable-voucher.ts';
import { handler } from '../../../functions/vouchers/get-voucher.ts';
import { dynamodbClient } from '../../../lib/http/composition.ts';
import { documentClient } from '../../../lib/table/connection.ts';
import { caller } from '../../support/call.ts';
import { testDependencies } from '../../support/dependencies.ts';
import { loadProject, type TestProject } from '../../support/project.ts';

const code = 'SECRET-CODE-1';
let project: TestProject;

beforeAll(async () => {
  project = await loadProject({ vouchers: [{ code, type: 'DISCOUNT_VOUCHER', active: false }] });
});

test('each request writes one JSON line that tells who called what and what it cost', async () => {
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
    status: 200,
    duration_ms: 0,
    dynamodb_calls: 4,
    read_units: expect.any(Number),
    write_units: expect.any(Number),
  });
});

test('no code and no credential is in a line, whether the call succeeds, is refused or fails', async () => {
  const unreachable = documentClient(dynamodbClient('http://127.0.0.1:1'));
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

test('an unexpected failure is a 500 that tells the caller nothing and the log what happened', async () => {
  const dependencies = testDependencies({ dynamodb: documentClient(dynamodbClient('http://127.0.0.1:1')) });
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
