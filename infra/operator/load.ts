import * as v from 'valibot';
import { loadProjectFile } from '#addons/admin/project-file/load.ts';
import { explainRefusedTarget } from '#addons/webhooks/allowed-targets.ts';
import { webhook } from '#addons/webhooks/resource.ts';
import { runCommand } from '../command-line.ts';
import { toComplaint } from '../environment.ts';
import { tableNotes, withTable } from './target.ts';

const usage = `Loads a project file into a table. Loading it again changes only what differs in the file.
On a local engine a missing table is created.

  npm run load -- FILE
`;

const options = {
  'dry-run': { type: 'boolean', words: 'checks the file against itself and the table, and writes nothing' },
  'event-targets': {
    type: 'string',
    value: 'TARGETS',
    words:
      'queues and buses that the deployment allows, as for npm run deploy: without them, none on AWS and all on a local engine',
  },
} as const;

const aimed = v.object({ target_url: v.string() });

/**
 * Refuses webhooks that the deployment would refuse in a request. A local engine without a list refuses no webhooks.
 */
function refuseBy(given: string | undefined, { DYNAMODB_ENDPOINT }: NodeJS.ProcessEnv) {
  if (given === undefined && DYNAMODB_ENDPOINT) return {};
  const allowed = given?.split(/[\s,]+/).filter(Boolean) ?? [];
  const refuse = (list: string, entry: object) => {
    if (list !== webhook.fileKey || !v.is(aimed, entry)) return undefined;
    const refusal = explainRefusedTarget(entry.target_url, allowed);
    return refusal === undefined ? undefined : `target_url ${refusal}`;
  };
  return { refuse };
}

const positionals = { least: 1, most: 1 };

await runCommand({ usage, options, positionals, notes: tableNotes }, async ({ values, positionals: [path = ''] }) => {
  const dryRun = values['dry-run'] ?? false;
  return await withTable(process.env, { make: !dryRun }, async ({ dynamodb, tableName, now }) => {
    const onProgress = (written: number, entries: number) =>
      process.stderr.write(`${written.toLocaleString('en')} of ${entries.toLocaleString('en')} entries\n`);
    const refusing = refuseBy(values['event-targets'], process.env);
    const target = { dynamodb, tableName, now, dryRun, onProgress, ...refusing };
    const { project, counts, notes } = await loadProjectFile(path, target).catch((error: unknown) => {
      throw toComplaint(error, path);
    });
    const lists = Object.entries(counts).map(([list, entries]) => `${entries.toLocaleString('en')} ${list}`);
    const what = `${project.name} (${project.id})`;
    const found = lists.join(', ') || 'no entries';
    const noted = notes.map((note) => `Note: ${note}.\n`).join('');
    return dryRun
      ? `${what} can be loaded into ${tableName}: ${found}. Nothing was written.\n${noted}`
      : `${what} is in ${tableName}: ${found}\n${noted}`;
  });
});
