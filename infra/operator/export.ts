import { exportProject } from '#addons/admin/project-file/export.ts';
import { ProjectFileError } from '#addons/admin/project-file/faults.ts';
import { Complaint, runCommand } from '../command-line.ts';
import { toComplaint } from '../environment.ts';
import { tableNotes, withTable } from './target.ts';

const usage = `Writes a project to a file that \`npm run load\` accepts, for another table or for the same table.

  npm run export -- PROJECT FILE

It reads the whole table and changes nothing. The file holds tokens of keys as hashes, so the tokens work after a load.
It leaves out the ledgers of cards with the activities of their entries, bearer tokens and invitations. It is not a backup:
the table has point-in-time recovery for that.
`;

const options = { force: { type: 'boolean', words: 'replaces an existing file' } } as const;

const positionals = { least: 2, most: 2 };

await runCommand({ usage, options, positionals, notes: tableNotes }, async ({ values, positionals }) => {
  const [projectId = '', path = ''] = positionals;
  return await withTable(process.env, {}, async ({ table }) => {
    const onProgress = (entries: number) => process.stderr.write(`${entries.toLocaleString('en')} entries\n`);
    const options = { replace: values.force ?? false, onProgress };
    const { project, counts, unfinished } = await exportProject(table, projectId, path, options).catch(
      (error: unknown) => {
        if (!(error instanceof ProjectFileError)) throw toComplaint(error, path);
        throw new Complaint(
          'The project changed while it was read. Nothing was written: run the command again.',
          error.faults,
        );
      },
    );
    for (const id of unfinished) {
      process.stderr.write(`${id} is still being generated: the file has its codes so far, with the status FAILED\n`);
    }
    const lists = Object.entries(counts).map(([list, entries]) => `${entries.toLocaleString('en')} ${list}`);
    return `${project.name} (${project.id}) is in ${path}: ${lists.join(', ') || 'no entries'}\n`;
  });
});
