import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Benchmark, Measurement } from './benchmark.ts';

/** Runs every file of `cases/`, or those named as arguments, one after the other. Exits with 1 if a limit is broken. */

function table(rows: readonly Measurement[]): string {
  const headings = ['', ...new Set(rows.flatMap(({ values }) => Object.keys(values))), 'limits'];
  const lines = rows.map(({ name, values, broken }) => [
    name,
    ...headings.slice(1, -1).map((heading) => values[heading] ?? ''),
    broken.join('; ') || 'kept',
  ]);
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...lines.map((line) => line[column]?.length ?? 0)),
  );
  return [headings, ...lines]
    .map((line) =>
      line
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join('  '),
    )
    .join('\n');
}

const casesDir = join(import.meta.dirname, 'cases');
const available = (await readdir(casesDir)).map((file) => basename(file, '.ts')).sort();
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !available.includes(name));
if (unknown.length > 0) throw new Error(`no case named ${unknown.join(', ')}; there are ${available.join(', ')}`);

for (const name of wanted.length > 0 ? wanted : available) {
  const { benchmark }: { benchmark: Benchmark } = await import(`./cases/${name}.ts`);
  const workDir = await mkdtemp(join(tmpdir(), 'tessera-bench-'));
  try {
    const rows = await benchmark.measure(workDir);
    process.stdout.write(`${benchmark.title}\n\n${table(rows)}\n\n`);
    if (rows.some(({ broken }) => broken.length > 0)) process.exitCode = 1;
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}
