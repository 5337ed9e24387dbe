import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startServer } from '../../infra/local/server.ts';
import { writeOperationsTable } from '../../infra/openapi/operations-table.ts';
import { writeRolesTable } from '../../infra/openapi/roles-table.ts';
import packageFile from '../../package.json' with { type: 'json' };
import { testDependencies } from '../support/dependencies.ts';
import { loadProject } from '../support/project.ts';

const root = join(import.meta.dirname, '../..');
const pages = [
  'README.md',
  ...(await readdir(join(root, 'docs'), { recursive: true }))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];
const texts = new Map(
  await Promise.all(pages.map(async (page) => [page, await readFile(join(root, page), 'utf8')] as const)),
);

test('docs/interface.md has the table of operations that npm run openapi -- --table prints', () => {
  const page = texts.get(join('docs', 'interface.md')) ?? '';
  const table = /<!-- operations: .*? -->\n(.*)<!-- end of operations -->/s.exec(page)?.[1];
  expect(table?.trim()).toBe(writeOperationsTable().trim());
});

test('docs/tokens-and-keys.md has the table of roles that npm run openapi -- --roles prints', () => {
  const page = texts.get(join('docs', 'tokens-and-keys.md')) ?? '';
  const table = /<!-- roles: .*? -->\n(.*)<!-- end of roles -->/s.exec(page)?.[1];
  expect(table?.trim()).toBe(writeRolesTable().trim());
});

test('the README is one screen', () => {
  expect(texts.get('README.md')?.trimEnd().split('\n').length).toBeLessThanOrEqual(130);
});

test.each(pages)('%s names only existing files and scripts', (page) => {
  const text = texts.get(page) ?? '';
  const links = [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, path = '']) => path);
  expect(links.filter((path) => !existsSync(join(root, dirname(page), path)))).toEqual([]);
  const scripts = [...text.matchAll(/npm run ([\w-]+)/g)].map(([, script = '']) => script);
  expect(scripts.filter((script) => !Object.hasOwn(packageFile.scripts, script))).toEqual([]);
});

test("the README's first cart works: its code is created, validated, redeemed and rolled back", async () => {
  const [, commands = ''] = /```sh\n(api\(\) .*?)```/s.exec(texts.get('README.md') ?? '') ?? [];
  const dependencies = testDependencies();
  const { credentials } = await loadProject({}, dependencies);
  const server = await startServer({ dependencies, port: 0 });
  try {
    const script = commands
      .replace('http://127.0.0.1:3000', server.baseUrl)
      .replace('demo-app', credentials['x-app-id'] ?? '')
      .replace('demo-token-for-local-use-only', credentials['x-app-token'] ?? '');
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script]);
    const replies = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(replies).toEqual([
      { code: 'FIRST10', active: true },
      { valid: true, discount: 2_000 },
      { result: 'SUCCESS', amount: 20_000 },
    ]);
  } finally {
    await server.close();
  }
});
