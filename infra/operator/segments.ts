import { resyncSegments } from '#engine/customers/segments/resync.ts';
import { findProject } from '#kernel/access/projects/project.ts';
import { notFound } from '#kernel/core/errors.ts';
import { Misuse, runCommand } from '../command-line.ts';
import { tableNotes, withTable } from './target.ts';

const usage = `Checks the members of a project's segments again, in case messages about them were lost.
Correct members stay. Workers do the work after the command has ended.

  npm run segments -- resync PROJECT
`;

const positionals = { least: 2, most: 2 };

await runCommand({ usage, options: {}, positionals, notes: tableNotes }, ({ positionals: [verb, id = ''] }) => {
  if (verb !== 'resync') throw new Misuse(`"${verb}" is not a verb of this command: write resync`);
  return withTable(process.env, {}, async ({ table, now }) => {
    const project = await findProject(table, id);
    if (!project) throw notFound('project', id);
    const { customers, staticSegments } = await resyncSegments({ table, project, now });
    const looked = customers ? 'every customer is checked for segments with a filter' : 'no segment has a filter';
    return `${id}: ${looked}. The members of ${staticSegments} static segments are written again\n`;
  });
});
