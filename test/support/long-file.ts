import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** How many vouchers and how many customers the long lists have: in a long run more than the heap of a command holds. */
export const longList = process.env.LONG_TESTS ? 40_000 : 2_600;

/** A voucher of each customer, before the customers: nothing that it refers to has been seen yet. */
function* longFile(file: object, length: number): Generator<string> {
  yield `${JSON.stringify(file).slice(0, -1)}, "vouchers": [`;
  for (let index = 0; index < length; index++) {
    const metadata = { note: 'n'.repeat(200), index };
    const voucher = { code: `LONG-${index}`, type: 'DISCOUNT_VOUCHER', holder_id: `cust_long_${index}`, metadata };
    yield (index > 0 ? ',' : '') + JSON.stringify(voucher);
  }
  yield '], "customers": [';
  for (let index = 0; index < length; index++) {
    const customer = { id: `cust_long_${index}`, source_id: `crm-long-${index}`, name: `Customer ${index}` };
    yield (index > 0 ? ',' : '') + JSON.stringify(customer);
  }
  yield ']}';
}

/** Writes the project with its long lists to a file of its own for as long as `use` runs. */
export async function withLongFile(
  file: object,
  use: (path: string) => Promise<void>,
  length = longList,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-'));
  try {
    const path = join(folder, 'long.json');
    await pipeline(longFile(file, length), createWriteStream(path));
    await use(path);
  } finally {
    await rm(folder, { recursive: true });
  }
}
