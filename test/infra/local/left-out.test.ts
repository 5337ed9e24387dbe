import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningServer, startServer } from '../../../infra/local/server.ts';
import { testDependencies } from '../../support/dependencies.ts';
import { loadProject, type TestProject } from '../../support/project.ts';

/** Proves that the local server leaves out what a deployed stage may leave out. */

let server: RunningServer;
let project: TestProject;

beforeAll(async () => {
  project = await loadProject();
  server = await startServer({ dependencies: testDependencies(), port: 0, leftOut: ['webhooks', 'files'] });
});

afterAll(() => server.close());

const statusOf = async (line: string, body?: object) => {
  const [method = '', path = ''] = line.split(' ');
  const headers = { ...project.credentials, 'content-type': 'application/json' };
  const reply = await fetch(server.baseUrl + path, {
    method,
    headers,
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return reply.status;
};

test('paths of add-ons that are left out are unknown, and all others answer', async () => {
  const managed = `/management/v1/projects/${project.id}`;
  expect(await statusOf('GET /v1/exports')).toBe(404);
  expect(await statusOf('POST /v1/customers/bulk/async', [])).toBe(404);
  expect(await statusOf(`GET ${managed}/webhooks`)).toBe(404);
  expect(await statusOf(`GET ${managed}`)).toBe(200);
  expect(await statusOf('GET /v1/reports')).toBe(200);
  expect(await statusOf('GET /v1/customers')).toBe(200);
});

test('the document leaves the same paths out', async () => {
  const document = await (await fetch(`${server.baseUrl}/openapi.json`)).json();
  const { paths } = document as { paths: Record<string, object> };
  expect(Object.keys(paths).filter((path) => /webhook|exports|import|async$/.test(path))).toEqual([]);
  expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/v1/reports', '/v1/customers']));
});
