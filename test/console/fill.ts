import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { voucherId, voucherLists } from '#engine/ledger/codes/voucher-lists.ts';
import { vouchers } from '#engine/vouchers/voucher.ts';
import type { Project } from '#kernel/access/projects/project.ts';
import { idPrefixes } from '#kernel/core/ids.ts';
import { createDynamodbClient } from '#kernel/http/composition.ts';
import { createDocumentClient } from '#kernel/table/connection.ts';
import { Table } from '#kernel/table/table.ts';
import { Complaint, Misuse, runCommand } from '../../infra/command-line.ts';
import { defaultTableName } from '../../infra/local/create-table.ts';
import { EngineError } from '../../infra/local/engine-program.ts';
import { type Exported, exportTable, importTables, putCopies } from '../bench/export-items.ts';
import { demoProject } from '../bench/project.ts';
import { timeOf } from '../bench/seed-lists.ts';
import { loadedTable, onEngine } from '../bench/tables.ts';

const usage = `Fills a new folder with the demo and many vouchers of one campaign, for the console's times.

  npm run console-fill -- SIZE FOLDER       such as 1000000 ../million

Then start a server with it:

  DATA_DIR=FOLDER npm start
`;

const mostVouchers = 10_000_000;
const original = 'TIDE-HELLO';

/** Copies a voucher of the demo, with its places in all lists. */
async function copyVouchers(exported: Exported, project: Project, count: number): Promise<void> {
  const { client, tableName } = exported;
  const id = voucherId(project, original);
  const [template] = await new Table(createDocumentClient(client), tableName, new Date()).getMany([
    vouchers(project.id, id),
  ]);
  if (!template) throw new Error(`the demo has no voucher ${original}`);
  const bareId = (one: string) => one.replace(idPrefixes.voucher, '');
  const own = (index: number) => ({
    [bareId(id)]: bareId(voucherId(project, `MANY-${index}`)),
    [original]: `MANY-${index}`,
    [String(template.created_at)]: timeOf(index),
  });
  await putCopies(exported, 'vouchers', { templates: [template], lists: Object.values(voucherLists), count, own });
}

async function fill(size: number, dataDir: string): Promise<string> {
  if (existsSync(join(dataDir, 'dynoxide.db'))) throw new Complaint(`${dataDir} has data already: name a new folder.`);
  const workDir = await mkdtemp(join(tmpdir(), 'tessera-fill-'));
  try {
    const outcome = await onEngine('dynoxide', async ({ endpoint }) => {
      const client = createDynamodbClient(endpoint);
      const exported = { client, tableName: defaultTableName, exportDir: join(workDir, 'export') };
      const project = await loadedTable(client, defaultTableName, await demoProject(), workDir);
      await copyVouchers(exported, project, size);
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
