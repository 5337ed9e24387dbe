import { parseArgs } from 'node:util';
import { listProjects } from '../../lib/projects/list-projects.ts';
import { main, withTable } from './command.ts';

const usage = `Lists the projects of a table: id, name, and when each was first loaded, with tabs between them.

  npm run projects
`;

await main(usage, async (args) => {
  parseArgs({ args, options: {} });
  const projects = await withTable(process.env, {}, ({ table }) => listProjects(table));
  return projects.map(({ id, name, created_at }) => `${id}\t${name}\t${created_at}\n`).join('');
});
