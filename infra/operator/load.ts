import { parseArgs } from 'node:util';
import { loadProjectFile } from '../../lib/project-file/load.ts';
import { Misuse, main, withTable } from './command.ts';
import { toldOfFile } from './settings.ts';

const usage = `Loads a project file into a table; loading it again changes only what the file changes.
On a local engine the table is made if it is missing.

  npm run load -- FILE
  npm run load -- --dry-run FILE    checks the file against itself and the table, and writes nothing
`;

await main(usage, async (args) => {
  const { values, positionals } = parseArgs({
    args,
    options: { 'dry-run': { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const [path, ...rest] = positionals;
  if (path === undefined || rest.length > 0) throw new Misuse();
  const dryRun = values['dry-run'];

  return await withTable(process.env, { make: !dryRun }, async ({ dynamodb, tableName, now }) => {
    const onProgress = (written: number, entries: number) =>
      process.stderr.write(`${written.toLocaleString('en')} of ${entries.toLocaleString('en')} entries\n`);
    const target = { dynamodb, tableName, now, dryRun, onProgress };
    const { project, counts } = await loadProjectFile(path, target).catch((error: unknown) => {
      throw toldOfFile(error, path);
    });
    const lists = Object.entries(counts).map(([list, entries]) => `${entries.toLocaleString('en')} ${list}`);
    const what = `${project.name} (${project.id})`;
    const found = lists.join(', ') || 'no entries';
    return dryRun
      ? `${what} can be loaded into ${tableName}: ${found}. Nothing was written.\n`
      : `${what} is in ${tableName}: ${found}\n`;
  });
});
