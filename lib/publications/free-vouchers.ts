import { randomBytes } from 'node:crypto';
import { isFree, voucherLists } from '../codes/voucher-lists.ts';
import type { Reading } from '../context.ts';
import { idPrefixes } from '../ids.ts';
import { inBatches } from '../table/batches.ts';
import { parseStored } from '../table/item.ts';
import { entries } from '../table/listing.ts';
import { type VoucherItem, voucherItem } from '../vouchers/voucher.ts';

/** Read beyond those that are wanted, for the ones that others take meanwhile. */
const spare = 2;

/**
 * What a campaign has left to give, each once: from a random place of its list to the end, and on from the beginning. Those who
 * take at once begin apart. The list lags, so each is read before it is handed out, and the taking is still on a condition.
 */
export async function* freeVouchers(
  { table, project }: Pick<Reading, 'table' | 'project'>,
  campaignId: string,
  wanted: number,
): AsyncGenerator<VoucherItem> {
  const start = idPrefixes.voucher + randomBytes(16).toString('base64url');
  const seen = new Set<string>();
  const atOnce = wanted + spare;
  for (const range of [{ from: start }, { to: start }]) {
    const walk = entries(table, voucherLists.free, [project.id, campaignId], { ...range, atOnce });
    for await (const batch of inBatches(walk, atOnce)) {
      for (const stored of await table.getMany(batch.map(({ key }) => key))) {
        const item = stored && parseStored(voucherItem, stored);
        if (!item || !isFree(item) || seen.has(item.id)) continue;
        seen.add(item.id);
        yield item;
      }
    }
  }
}
