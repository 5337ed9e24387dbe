import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** The number of vouchers and of customers in the long lists. In a long run they exceed the heap of a command. */
export const longList = process.env.LONG_TESTS ? 40_000 : 2_600;

/** Each voucher has a holder. The vouchers come first, so their customers are unknown when they are read. */
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

/** Writes the project with its long lists to a file, and deletes the file after `use` ends. */
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
