import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { servedDemo } from './served-demo.ts';

const { client, runJobs } = servedDemo();

/** A file with one row, which the service accepts. */
async function imported(content: string, send: (file: string) => Promise<{ async_action_id: string }>) {
  const folder = await mkdtemp(join(tmpdir(), 'csv-'));
  const file = join(folder, 'rows.csv');
  await writeFile(file, content);
  const { async_action_id } = await send(file);
  await rm(folder, { recursive: true });
  await runJobs();
  expect(await client().asyncActions.get(async_action_id)).toMatchObject({ result: { done_count: 1, failed: [] } });
}

test.each([
  ['customers', 'Source_id,Name\nsdk-file,Runa\n', { name: 'Runa' }],
  ['products', 'source_id,price\nsdk-file,12.50\n', { price: 1250 }],
  [
    'vouchers',
    'Code,Voucher Type,Value,Discount Type\nsdk-file,DISCOUNT_VOUCHER,12.50,AMOUNT\n',
    { discount: { type: 'AMOUNT', amount_off: 1250 } },
  ],
] as const)('%s are imported from a CSV file that the client reads', async (part, content, shown) => {
  await imported(content, (file) => client()[part].importCSV(file));
  expect(await client()[part].get('sdk-file')).toMatchObject(shown);
});

test('SKUs of a product are imported from a CSV file that the client reads', async () => {
  const content = 'product_id,source_id,price\nprod_beans,sdk-sku-file,12.50\n';
  await imported(content, (file) => client().products.importSkusCSV(file));
  const { skus } = await client().products.listSkus('prod_beans');
  expect(skus).toContainEqual(expect.objectContaining({ source_id: 'sdk-sku-file', price: 1250 }));
});

test("a campaign's vouchers are imported from a CSV file that the client reads", async () => {
  await imported('Code\nsdk-tide-file\n', (file) => client().campaigns.importVouchersCSV('camp_morning', file));
  expect(await client().vouchers.get('sdk-tide-file')).toMatchObject({ campaign: 'Early tide' });
});
