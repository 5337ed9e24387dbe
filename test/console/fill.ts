import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Complaint, Misuse, runCommand } from '../../infra/command-line.ts';
import { defaultTableName } from '../../infra/local/create-table.ts';
import { EngineError } from '../../infra/local/engine-program.ts';
import { createDynamodbClient } from '../../lib/http/composition.ts';
import { exportTable, importTables, putIntoExport } from '../bench/export-items.ts';
import { demoProject } from '../bench/project.ts';
import { seedListsOf } from '../bench/seed-lists.ts';
import { loadedTable, onEngine } from '../bench/tables.ts';

const usage = `Fills a new folder with the demo and many vouchers and customers, for the console's times.

  npm run console-fill -- SIZE FOLDER       such as 1000000 /tmp/million

SIZE is the number of vouchers. There is one customer for ten of them.
Then start a server with it:

  DATA_DIR=FOLDER npm start
`;

const mostVouchers = 10_000_000;

async function fill(size: number, dataDir: string): Promise<string> {
  if (existsSync(join(dataDir, 'dynoxide.db'))) throw new Complaint(`${dataDir} has data already: name a new folder.`);
  const workDir = await mkdtemp(join(tmpdir(), 'tessera-fill-'));
  try {
    const outcome = await onEngine('dynoxide', async ({ endpoint }) => {
      const client = createDynamodbClient(endpoint);
      const exported = { client, tableName: defaultTableName, exportDir: join(workDir, 'export') };
      const project = await loadedTable(client, defaultTableName, await demoProject(), workDir);
      const seeding = { client, tableName: defaultTableName, project, put: putIntoExport(exported) };
      await seedListsOf(['list-vouchers'], { ...seeding, size });
      await seedListsOf(['list-customers'], { ...seeding, size: Math.ceil(size / 10) });
      await exportTable(exported);
      await importTables(client, { exportDir: exported.exportDir, tableNames: [defaultTableName], dataDir });
      client.destroy();
    });
    if (outcome instanceof EngineError) throw new Complaint(outcome.message);
  } finally {
    await rm(workDir, { recursive: true });
  }
  return `${dataDir} has ${size} vouchers\n`;
}

await runCommand(
  { usage, options: {}, positionals: { least: 2, most: 2 } },
  ({ positionals: [size = '', folder = ''] }) => {
    const wanted = Number(size);
    if (!Number.isInteger(wanted) || wanted < 1 || wanted > mostVouchers)
      throw new Misuse(`SIZE is a number from 1 to ${mostVouchers}`);
    return fill(wanted, folder);
  },
);
