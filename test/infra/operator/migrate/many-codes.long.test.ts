import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { readEntries } from '#addons/admin/project-file/read-entries.ts';
import { Progress } from '../../../../infra/operator/migrate/state.ts';
import { isLong } from '../../../support/sampled.ts';

/** `MIGRATION_CODES=1000000` takes some ten minutes. */
const codes = Number(process.env.MIGRATION_CODES ?? (isLong ? 100_000 : 20_000));
/** A code costs memory for its digest alone. A code with all its fields would need a KB. */
const heapInMb = 80 + Math.ceil(codes / 5_000);

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

function* linesOf(count: number) {
  yield 'Code,ID,Voucher Type,Value,Discount Type,Campaign,Campaign ID,Active,Metadata,Created At\r\n';
  for (let index = 0; index < count; index++) {
    const made = new Date(Date.UTC(2026, 0, 1) + index).toISOString();
    const metadata = `"{""batch"":${index % 7},""note"":""printed on the ${index}th receipt of the sale""}"`;
    yield `SALE-${index},v_of_the_source_${index},DISCOUNT_VOUCHER,10,PERCENT,Sale,camp_sale,true,${metadata},${made}\r\n`;
  }
}

test(`a campaign of ${codes} codes is copied to a project file with ${heapInMb} MB of memory`, {
  timeout: 3_600_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-codes-'));
  folders.push(folder);
  const migration = { from: 'https://source.example', project: 'proj_codes' };
  await Progress.open(folder, migration);
  const voucher = { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } };
  const campaign = { id: 'camp_sale', name: 'Sale', campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC', voucher };
  await writeFile(join(folder, 'campaigns.jsonl'), `${JSON.stringify(campaign)}\n`);
  const path = join(folder, 'vouchers.csv');
  await pipeline(Readable.from(linesOf(codes)), createWriteStream(path));
  const program = join(import.meta.dirname, '../../../support/assemble-program.ts');
  const args = [`--max-old-space-size=${heapInMb}`, program, folder, migration.from, migration.project];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(stdout).toBe('[]');
  expect((await stat(path)).size).toBeGreaterThan(codes * 150);
  let found = 0;
  for await (const one of readEntries(join(folder, 'project.json'))) {
    if (one.is === 'entry' && one.key === 'vouchers') found += 1;
  }
  expect(found).toBe(codes);
});
