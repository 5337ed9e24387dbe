import type { Context } from 'aws-lambda';
import { expect, test } from 'vitest';
import { explainUnknownPath } from '#kernel/http/unknown-path.ts';
import { createSharedHandler } from '../../infra/aws/shared-handler.ts';
import { type Operation, operations } from '../../infra/operations.ts';
import { apiEvent } from '../support/api-event.ts';
import { testDependencies, testTime } from '../support/dependencies.ts';
import { loadProject } from '../support/project.ts';

const managing = operations.filter(({ family }) => family === 'management');
const context = { getRemainingTimeInMillis: () => 10_000 } as Context;

/** Makes a shared function of the sources, which notes what it loads. */
function shareManagement() {
  const dependencies = testDependencies();
  const loaded: string[] = [];
  const lines: string[] = [];
  const served = managing.map(({ name, route: { method, path }, handler }) => ({
    method,
    path,
    load: async () => {
      loaded.push(name);
      return { handler: Object.assign(handler.with(dependencies), handler) };
    },
  }));
  const handle = createSharedHandler(served, (line) => lines.push(line));
  /** Calls as the gateway does, which knows the one route only. */
  const call = async (method: string, path: string, body?: object) => {
    const [{ route }] = managing as [Operation];
    const event = apiEvent(route, { method, path, ...(body ? { body } : {}) });
    const proxy = path.replace('/management/v1/', '');
    const requestContext = { ...event.requestContext, timeEpoch: testTime.getTime() };
    const reply = await handle({ ...event, requestContext, routeKey: 'ANY', pathParameters: { proxy } }, context);
    return { ...reply, status: reply.statusCode, body: reply.body ? JSON.parse(reply.body) : undefined };
  };
  return { call, loaded, lines, dependencies };
}

test('the method and the path decide which operation answers, with the parameters of its own path', async () => {
  const { id } = await loadProject();
  const { call, dependencies } = shareManagement();
  expect(await call('GET', `/management/v1/projects/${id}`)).toMatchObject({ status: 200, body: { id } });
  const path = `/management/v1/projects/${id}/keys`;
  const made = await call('POST', path, { type: 'SERVER', name: 'Till 7' });
  expect(made).toMatchObject({ status: 200, body: { id: expect.any(String) } });
  expect(await call('DELETE', `${path}/${made.body.id}`)).toMatchObject({ status: 204 });
  const routes = dependencies.lines.map((line) => JSON.parse(line).route);
  expect(routes).toEqual([
    'GET /management/v1/projects/{projectId}',
    'POST /management/v1/projects/{projectId}/keys',
    'DELETE /management/v1/projects/{projectId}/keys/{keyId}',
  ]);
});

test('a fixed segment wins over a parameter', async () => {
  const { call, loaded } = shareManagement();
  await call('POST', '/management/v1/projects/users/invite', {});
  await call('GET', '/management/v1/projects/users');
  expect(loaded).toEqual(['invite-user', 'get-project']);
});

test('only the called operation is loaded', async () => {
  const { call, loaded } = shareManagement();
  expect(loaded).toEqual([]);
  await call('GET', '/management/v1/projects');
  expect(loaded).toEqual(['list-projects']);
});

test.each([
  ['GET', '/management/v1/castles', 404],
  ['GET', '/management/v1/projects/proj_1/castles', 404],
  ['GET', '/management/v1/projects/', 404],
  ['PATCH', '/management/v1/projects/proj_1', 405],
  ['OPTIONS', '/management/v1/projects', 405],
  ['GET', '/management/v1/projects/proj_1/webhooks/hook_1/deliveries/replay/now', 404],
])('%s %s is %i in the words of all unknown paths', async (method, path, status) => {
  const { call, loaded, lines } = shareManagement();
  const reply = await call(method, path);
  const { key, details } = explainUnknownPath(
    operations.map(({ route }) => route),
    { method, path },
  );
  expect(reply).toMatchObject({ status, body: { code: status, key, details } });
  expect(reply.headers?.['X-Request-Id']).toBe(reply.body.request_id);
  expect([loaded, lines.length]).toEqual([[], 1]);
});

test('a 405 lists the methods of the path', async () => {
  const { call } = shareManagement();
  expect((await call('PATCH', '/management/v1/projects/proj_1')).headers).toMatchObject({ Allow: 'DELETE, GET, PUT' });
  expect((await call('PUT', '/management/v1/projects/proj_1/keys')).headers).toMatchObject({ Allow: 'GET, POST' });
});
