import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { Complaint, Misuse, runCommand } from '../../infra/command-line.ts';

const usage = `Measures operations by their examples and writes docs/costs.md. Takes some ten minutes for all.

  npm run costs -- [OPERATION...]    only these; the page keeps its other rows
`;

const options = {
  'calculate-only': { type: 'boolean', words: 'measures nothing, for other prices, assumptions or templates' },
} as const;

const file = join(import.meta.dirname, '..', '..', 'docs', 'costs.md');
const nothing = { operations: [], tills: [] };

await runCommand(
  { usage, options, positionals: { least: 0, most: Number.POSITIVE_INFINITY } },
  async ({ values, positionals: wanted }) => {
    // Imported late, because the help must not wait for every operation.
    const { operations } = await import('../../infra/operations.ts');
    const unknown = wanted.filter((name) => !operations.some((one) => one.name === name));
    if (unknown.length > 0) throw new Misuse(`no operation is called ${unknown.join(', ')}`);
    const { measured } = await import('./figures.ts');
    const { readPage, writePage } = await import('./page.ts');
    const { countsIn } = await import('./standing.ts');
    const { tillCalls } = await import('./till-calls.ts');
    const { deployed } = await import('../support/stack.ts');

    const measure = async () => {
      const { startVitest } = await import('vitest/node');
      const folder = await mkdtemp(join(tmpdir(), 'tessera-costs-'));
      try {
        process.env.COSTS_FILE = join(folder, 'costs.json');
        process.env.COSTS_OF = wanted.join(',');
        const run = await startVitest('test', [], {
          watch: false,
          config: join(import.meta.dirname, 'vitest.config.ts'),
          root: join(import.meta.dirname, '..', '..'),
        });
        const failed = run.state.getCountOfFailedTests();
        await run.close();
        if (failed > 0) throw new Complaint(`${failed} calls could not be measured; the page has not changed`);
        return v.parse(measured, await readFile(process.env.COSTS_FILE, 'utf8'));
      } finally {
        await rm(folder, { recursive: true });
      }
    };
    const found = values['calculate-only'] ? nothing : await measure();
    const before = existsSync(file) ? readPage(await readFile(file, 'utf8')) : nothing;
    const latest = <T extends { name: string }>(old: readonly T[], fresh: readonly T[], names: readonly string[]) =>
      names.flatMap((name) => {
        const one = fresh.find((row) => row.name === name) ?? old.find((row) => row.name === name);
        return one ? [one] : [];
      });
    const page = writePage({
      operations: latest(
        before.operations,
        found.operations,
        operations.map(({ name }) => name),
      ),
      tills: latest(
        before.tills,
        found.tills,
        tillCalls.map(({ name }) => name),
      ),
      counts: { standard: countsIn(deployed('standard').template), full: countsIn(deployed('full').template) },
    });
    await writeFile(file, page);
    return `${file}\n`;
  },
);
