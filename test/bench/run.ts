import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { Misuse, runCommand } from '../../infra/command-line.ts';
import { type Benchmark, isTrial, type Measurement } from './benchmark.ts';

const usage = `Measures the endpoints beside the same DynamoDB commands sent bare. Ends with 1 if a limit is broken, too.

  npm run bench -- [CASE...]    all cases by default: ${(await caseNames()).join(', ')}

BENCH_LONG=1 takes the turns, sizes and engines that figures to be kept are taken with.
BENCH_ONCE=1 takes one turn of everything on small sizes, and judges no limit: it shows that the bench can measure.
`;

const options = {
  json: {
    type: 'string',
    value: 'FILE',
    words: 'where all figures go',
    default: join('.dist', 'bench.json'),
  },
} as const;

function table(rows: readonly Measurement[]): string {
  const headings = ['', ...new Set(rows.flatMap(({ values }) => Object.keys(values))), 'limits'];
  const lines = rows.map(({ name, values, broken }) => [
    name,
    ...headings.slice(1, -1).map((heading) => values[heading] ?? ''),
    broken.join('; ') || (isTrial ? 'not judged' : 'kept'),
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

/** Returns the machine's description, and measures a fixed piece of work now: its spread shows the noise. */
function machine() {
  const spin = () => {
    const startedAt = performance.now();
    let sum = 0;
    for (let step = 0; step < 1e7; step++) sum += step % 7;
    return { milliseconds: performance.now() - startedAt, sum };
  };
  const times = Array.from({ length: 9 }, () => spin().milliseconds).sort((a, b) => a - b);
  return {
    cores: cpus().length,
    model: cpus()[0]?.model,
    node: process.version,
    spin_ms: { least: times[0], median: times[4], most: times[8] },
  };
}

async function caseNames(): Promise<string[]> {
  return (await readdir(join(import.meta.dirname, 'cases'))).map((file) => basename(file, '.ts')).sort();
}

await runCommand(
  { usage, options, positionals: { least: 0, most: Number.POSITIVE_INFINITY } },
  async ({ values, positionals: wanted }) => {
    const available = await caseNames();
    const unknown = wanted.filter((name) => !available.includes(name));
    if (unknown.length > 0) throw new Misuse(`no case is named ${unknown.join(', ')}`);
    const report = [];
    const judge = (rows: readonly Measurement[]) => (isTrial ? rows.map((row) => ({ ...row, broken: [] })) : rows);
    const { TESSERA_BUNDLES } = process.env;
    const bundlesDir = TESSERA_BUNDLES || (await mkdtemp(join(tmpdir(), 'tessera-bundles-')));
    process.once('exit', () => {
      if (!TESSERA_BUNDLES) rmSync(bundlesDir, { recursive: true, force: true });
    });
    for (const name of wanted.length > 0 ? wanted : available) {
      const { benchmark }: { benchmark: Benchmark } = await import(`./cases/${name}.ts`);
      const workDir = await mkdtemp(join(tmpdir(), 'tessera-bench-'));
      const before = machine();
      const startedAt = performance.now();
      try {
        const measured = await benchmark.measure({ workDir, bundlesDir }, ({ name, values }) => {
          process.stderr.write(`${name}  ${Object.entries(values).flat().join(' ')}\n`);
        });
        const rows = judge(measured);
        const after = machine();
        const [least, most] = [before.spin_ms.least, after.spin_ms.most].map((time) => time?.toFixed(0));
        const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
        const noise = `It took ${seconds} s. A fixed piece of work took ${least} ms at best before it, ${most} ms at worst after it.`;
        process.stdout.write(`${benchmark.title}\n\n${table(rows)}\n\n${noise}\n\n`);
        report.push({ name, title: benchmark.title, before, after, rows });
        if (rows.some(({ broken }) => broken.length > 0)) process.exitCode = 1;
      } finally {
        await rm(workDir, { recursive: true, force: true });
      }
    }
    await mkdir(dirname(values.json), { recursive: true });
    await writeFile(values.json, `${JSON.stringify(report, null, 2)}\n`);
    return `JSON in ${values.json}\n`;
  },
);
