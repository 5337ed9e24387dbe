import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningServer, startServer } from '../../infra/local/server.ts';
import { testDependencies } from '../support/dependencies.ts';
import { type PageProject, pageProject, visit } from '../support/page-project.ts';
import { onPage, page } from '../support/pages.ts';
import { credentialsOf } from '../support/project.ts';

const foreign = 'https://elsewhere.example';

describe('between origins, over HTTP,', () => {
  let server: RunningServer;
  let file: PageProject;
  beforeAll(async () => {
    file = await pageProject();
    server = await startServer({ dependencies: testDependencies(), port: 0 });
  });
  afterAll(() => server.close());

  const preflight = (path: string, origin = page) =>
    fetch(server.baseUrl + path, {
      method: 'OPTIONS',
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'x-client-token',
      },
    });

  test("a browser's preflight request gets the methods of a client path", async () => {
    const reply = await preflight('/client/v1/events');
    expect([reply.status, await reply.text()]).toEqual([204, '']);
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'access-control-allow-origin': page,
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': expect.stringMatching(/X-Client-Token.*X-Voucherify-Channel/),
      'access-control-allow-credentials': 'true',
      'access-control-max-age': '7200',
      vary: 'Origin',
    });
  });

  test.each(['/v1/events', '/client/v1/nothing', '/management/v1/projects/users/invite', '/client/v1'])(
    'the reply allows nothing for %s',
    async (path) => {
      const reply = await preflight(path);
      expect(reply.status).toBeGreaterThanOrEqual(404);
      expect([...reply.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    },
  );

  test('a web page of the key reads its replies and refusals, and another web page reads nothing', async () => {
    const ask = (origin: string, body: object) =>
      fetch(`${server.baseUrl}/client/v1/events`, {
        method: 'POST',
        headers: { ...onPage(file, origin), 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
    const [taken, wrong, other] = [await ask(page, visit), await ask(page, {}), await ask(foreign, visit)];
    expect([taken.status, wrong.status, other.status]).toEqual([200, 400, 401]);
    for (const { headers } of [taken, wrong]) {
      expect(headers.get('access-control-allow-origin')).toBe(page);
      expect(headers.get('access-control-allow-credentials')).toBe('true');
    }
    expect(taken.headers.get('access-control-expose-headers')).toMatch(/X-Request-Id.*X-Ignored-Fields/);
    expect(other.headers.get('access-control-allow-origin')).toBeNull();
    expect(other.headers.get('access-control-allow-credentials')).toBeNull();
  });

  test("a web page cannot read a server path's reply", async () => {
    const reply = await fetch(`${server.baseUrl}/v1/promotions/tiers`, {
      headers: { ...credentialsOf(file), Origin: page },
    });
    expect([reply.status, reply.headers.get('access-control-allow-origin')]).toEqual([200, null]);
  });
});
