import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { startServer } from '../../infra/local/server.ts';
import { loadDemo } from '../support/demo.ts';
import { testDependencies } from '../support/dependencies.ts';

const docs = join(import.meta.dirname, '../../docs');

interface Example {
  commands: string;
  reply: string;
}

/** Returns the commands of a page with a reply after them. An action is left out, because no worker runs here. */
function examplesOf(page: string): Example[] {
  const text = readFileSync(join(docs, page), 'utf8');
  return [...text.matchAll(/```sh\n(.*?)```\n\n```(?:json)?\n(.*?)```/gs)]
    .map(([, commands = '', reply = '']) => ({ commands, reply }))
    .filter(({ commands }) => commands.includes('app[@]') || commands.includes('/management/'))
    .filter(({ commands }) => !commands.includes('/async-actions/'));
}

// The walk is left out, because it is one story over all pages and needs a worker.
const pages = readdirSync(docs).filter(
  (page) => page.endsWith('.md') && !['walk.md', 'redeem.md'].includes(page) && examplesOf(page).length > 0,
);

/** Reduces a value to its names and types. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf).slice(0, 1);
  if (value === null || typeof value !== 'object') return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shapeOf(part)]));
}

function shapeOfText(text: string): unknown {
  try {
    return shapeOf(JSON.parse(text));
  } catch {
    return text.trim().replaceAll('\r', '').replaceAll(/\d+/g, '0');
  }
}

/** Creates the objects that the pages use from the first cart of the README. */
const firstCart = `curl -s "\${app[@]}" $api/v1/vouchers/FIRST10 \\
  --json '{"type": "DISCOUNT_VOUCHER", "discount": {"type": "PERCENT", "percent_off": 10}}'`;

const names: Record<string, string> = {};
const server = await startServer({ dependencies: testDependencies(), port: 0 });
const project = await loadDemo();
names.api = server.baseUrl;
await run(firstCart);
afterAll(() => server.close());

async function run(commands: string): Promise<string> {
  const app = Object.entries(project.credentials).map(([name, value]) => `-H '${name}: ${value}'`);
  const variables = Object.entries(names).map(([name, value]) => `${name}='${value}'`);
  const script = [...variables, `app=(${app.join(' ')})`, commands.replaceAll('proj_demo', project.id)].join('\n');
  const folder = await mkdtemp(join(tmpdir(), 'tessera-'));
  try {
    return (await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder })).stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
}

test.each(pages)('the examples of %s get the replies that the page shows', async (page) => {
  for (const { commands, reply } of examplesOf(page)) {
    const answered = await run(commands);
    expect(shapeOfText(answered), commands).toEqual(shapeOfText(reply));
    const [redemption] = answered.match(/\br_[\w-]+/) ?? [];
    if (redemption) names.redemption = redemption;
  }
});
