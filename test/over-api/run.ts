import { readFile } from 'node:fs/promises';
import { Complaint, runCommand } from '../../infra/command-line.ts';
import type { Outcome } from './compare.ts';
import type { Difference } from './differences.ts';

const usage = `Builds everything in a project file over the HTTP API alone, in a project that has only its keys. Compares its export
with the loaded file's export. Fails if a request was refused, or if no exception explains a difference.

  npm run build-over-api -- FILE
`;

const options = { all: { type: 'boolean', words: 'lists explained differences, too' } } as const;

const line = ({ place, file, built }: Difference) =>
  `${place}: ${JSON.stringify(file)} became ${JSON.stringify(built)}`;

function* explainedLines({ explained }: Outcome, all: boolean): Generator<string> {
  for (const [exception, some] of Map.groupBy(explained, ({ exception }) => exception)) {
    yield `${exception.name} (${some.length}): ${exception.reason}`;
    if (all) for (const { difference } of some) yield `  ${line(difference)}`;
  }
}

await runCommand(
  { usage, options, positionals: { least: 1, most: 1 } },
  async ({ values, positionals: [path = ''] }) => {
    // Imported late, because they read every operation.
    const { buildAndCompare } = await import('./compare.ts');
    const { withPlaces } = await import('./places.ts');
    const { parseProject } = await import('./project.ts');
    const { id } = parseProject(await readFile(path, 'utf8')).project;
    const outcome = await withPlaces(id, (places) => buildAndCompare(path, places));
    const { building, unexplained } = outcome;
    process.stdout.write(`${building.api.requests} requests. Explained differences:\n`);
    for (const text of explainedLines(outcome, values.all ?? false)) process.stdout.write(`  ${text}\n`);
    const faults = [...building.refused, ...unexplained.map(line)];
    if (faults.length > 0)
      throw new Complaint(`${path} cannot be built over the API without unexplained differences:`, faults);
    return `${path} was built over the API without unexplained differences.\n`;
  },
);
