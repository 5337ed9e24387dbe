import { listProjects } from '#kernel/access/projects/list-projects.ts';
import { runCommand } from '../command-line.ts';
import { tableNotes, withTable } from './target.ts';

const usage = `Lists the projects of a table: id, name, and time of the first load, with tabs between them.

  npm run projects
`;

await runCommand({ usage, options: {}, notes: tableNotes }, async () => {
  const projects = await withTable(process.env, {}, ({ table }) => listProjects(table));
  return projects.map(({ id, name, created_at }) => `${id}\t${name}\t${created_at}\n`).join('');
});
