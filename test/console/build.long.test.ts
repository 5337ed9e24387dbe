import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildConsole, type ConsoleBuild } from '../../infra/console/files.ts';
import { describeForms } from '../../infra/console/forms.ts';
import { type RunningServer, startServer } from '../../infra/local/server.ts';
import { importOf, lastLineOf, sharedBundle } from '../support/bundles.ts';
import { testDependencies } from '../support/dependencies.ts';
import { gatewayOf, stackWith } from '../support/stack.ts';
import { wholeTemplate } from '../support/template.ts';

let built: ConsoleBuild;
let server: RunningServer;

beforeAll(async () => {
  built = await buildConsole();
  server = await startServer({ dependencies: testDependencies(), port: 0 });
});

afterAll(() => server.close());

function gzippedBytes(names: Iterable<string>): number {
  return [...names].reduce((sum, name) => sum + gzipSync(built.assets.get(name) ?? '', { level: 9 }).length, 0);
}

const get = (path: string) => fetch(server.baseUrl + path, { redirect: 'manual' });

describe('the files', () => {
  test('stay below 80 KB before the first screen, and below 190 KB in all', () => {
    const today = [...built.assets.keys()].filter((name) => name.startsWith('today-'));
    expect(today).toHaveLength(1);
    expect(gzippedBytes([...built.first, built.style, ...today])).toBeLessThan(80_000);
    expect(gzippedBytes(built.assets.keys())).toBeLessThan(190_000);
  });

  test('are the same for the same sources, and have their hash in the name', async () => {
    const again = await buildConsole();
    expect([...again.assets.keys()]).toEqual([...built.assets.keys()]);
    expect([...built.assets.keys()].filter((name) => !/-[A-Z\d]{8}\.(js|css)$/.test(name))).toEqual([]);
  });

  test('hold the words of each form, taken from the document', () => {
    const forms = describeForms();
    const discount = forms['create-voucher']?.fields.find(({ name }) => name === 'discount.type');
    expect(discount?.choices).toEqual(expect.arrayContaining(['PERCENT', 'AMOUNT', 'UNIT']));
    for (const { fields } of Object.values(forms)) expect(fields.filter(({ words }) => !words)).toEqual([]);
  });
});

describe('/console', () => {
  test('serves one page for each screen, which runs no script of its own and no frame shows', async () => {
    for (const path of ['/console', '/console/vouchers/A%2FB']) {
      const reply = await get(path);
      const page = await reply.text();
      expect([reply.status, reply.headers.get('cache-control')]).toEqual([200, 'no-cache']);
      const policy = reply.headers.get('content-security-policy') ?? '';
      for (const part of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"])
        expect(policy).toContain(part);
      expect(policy).not.toContain('unsafe');
      expect(page.match(/<script(?![^>]* src=)|\son\w+=|<style/g)).toBeNull();
      expect(page).not.toContain('demo-app');
    }
  });

  test('lets browsers keep hashed files for a year, and explains a file that it does not have', async () => {
    const script = await get(`/console/assets/${built.script}`);
    expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    for (const [path, status] of [
      ['/console/assets/old-AAAAAAAA.js', 404],
      ['/console/assets/..%2Findex.mjs', 404],
    ] as const) {
      expect([path, (await get(path)).status]).toEqual([path, status]);
    }
    const posted = await fetch(`${server.baseUrl}/console`, { method: 'POST' });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET']);
  });

  test('is a function of the stack that holds all files and no code of the endpoints', async () => {
    const bundle = await sharedBundle('console');
    const event = (rawPath: string) => ({
      ...{ rawPath, routeKey: 'ANY /console', headers: {} },
      requestContext: { requestId: 'request-1', timeEpoch: 0, http: { method: 'GET' } },
    });
    const script = `
      const { handler } = ${importOf(bundle)};
      console.log(JSON.stringify(await handler(${JSON.stringify(event('/console/orders'))})));`;
    const { statusCode, body } = (await lastLineOf(script)) as { statusCode: number; body: string };
    const page = gunzipSync(Buffer.from(body, 'base64')).toString();
    expect([statusCode, page.includes(built.script)]).toEqual([200, true]);
    expect(bundle.gzipBytes).toBeLessThanOrEqual(5_000);
  });

  test('has no function in a stage that switches it off, where its paths are unknown and / leads to the docs', () => {
    const leading = (console: boolean) =>
      gatewayOf(wholeTemplate(stackWith({ stage: 'dev', console })))
        .routes.filter(({ key }) => key.includes('console'))
        .map(({ key, integration }) => [key, integration]);
    const keys = ['ANY /console', 'ANY /console/{path+}'];
    expect(leading(true)).toEqual(keys.map((key) => [key, 'console']));
    // A stage names these routes, so they must exist (infra/aws/throttled-routes.ts).
    expect(leading(false)).toEqual(keys.map((key) => [key, 'docs']));
  });
});

describe('the sources', () => {
  const folder = join(import.meta.dirname, '../../console');
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.tsx'))
    .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));

  test('say nothing in English outside of the file of words', () => {
    const spoken = sources.flatMap(({ name, text }) =>
      [...text.matchAll(/>\s*([A-Z][a-z]+(?: [a-z]+)*)\s*<\/|(?:label|title|placeholder|aria-label)="([^"]+)"/g)].map(
        ([found]) => `${name}: ${found}`,
      ),
    );
    expect(spoken).toEqual([]);
  });

  test('put each value of a sentence in braces, so that no screen shows the name of a value', () => {
    const sentences = readFileSync(join(folder, 'words.ts'), 'utf8');
    expect(sentences.match(/`[^`\n]*\$[a-z][^`\n]*`/gi)).toBeNull();
  });

  test('call paths of the public API only', () => {
    const called = sources.flatMap(({ text }) =>
      [...text.matchAll(/\.(?:GET|POST|PUT|DELETE)\('([^']+)'/g)].map(([, path = '']) => path),
    );
    expect(called.length).toBeGreaterThan(50);
    expect(called.filter((path) => !/^\/(?:management\/)?v1\//.test(path))).toEqual([]);
  });
});
