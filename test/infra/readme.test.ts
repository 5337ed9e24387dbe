import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { operationsTable } from '../../infra/openapi/operations-table.ts';
import packageFile from '../../package.json' with { type: 'json' };

const root = join(import.meta.dirname, '../..');
const pages = ['README.md', ...(await readdir(join(root, 'docs'))).map((name) => join('docs', name))];
const texts = new Map(
  await Promise.all(pages.map(async (page) => [page, await readFile(join(root, page), 'utf8')] as const)),
);

test('docs/interface.md has the table of operations as the routes make it: npm run openapi -- --table', () => {
  const page = texts.get(join('docs', 'interface.md')) ?? '';
  const table = /<!-- operations: .*? -->\n(.*)<!-- end of operations -->/s.exec(page)?.[1];
  expect(table?.trim()).toBe(operationsTable().trim());
});

test('the README is one screen', () => {
  expect(texts.get('README.md')?.trimEnd().split('\n').length).toBeLessThanOrEqual(120);
});

test.each(pages)('%s names files and scripts that are there', (page) => {
  const text = texts.get(page) ?? '';
  const links = [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, path = '']) => path);
  expect(links.filter((path) => !existsSync(join(root, dirname(page), path)))).toEqual([]);
  const scripts = [...text.matchAll(/npm run ([\w-]+)/g)].map(([, script = '']) => script);
  expect(scripts.filter((script) => !Object.hasOwn(packageFile.scripts, script))).toEqual([]);
});
