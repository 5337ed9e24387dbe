import { randomBytes, randomInt } from 'node:crypto';
import { isFree, voucherLists } from '../codes/voucher-lists.ts';
import type { Reading } from '../context.ts';
import { idPrefixes } from '../ids.ts';
import { parseStored } from '../table/item.ts';
import type { Key } from '../table/keys.ts';
import { entries } from '../table/listing.ts';
import { isUsedUp } from '../vouchers/used-up.ts';
import { type VoucherItem, voucherItem } from '../vouchers/voucher.ts';

/** Read beyond those that are wanted. */
const spare = 2;
/** And at once from then on, when others have taken those. */
const whenCrowded = 25;

/** Those who read the same ones don't try them in the same order. */
function shuffled<T>(all: readonly T[]): T[] {
  return all
    .map((one) => ({ one, place: randomInt(2 ** 32) }))
    .sort((a, b) => a.place - b.place)
    .map(({ one }) => one);
}

/**
 * What a campaign has left to give, each once: from a random place of its list to the end, and on from the beginning. Those who
 * take at once begin apart. The list lags, so each is read before it is handed out, and the taking is still on a condition. A code
 * that was used up before anybody got it would be worth nothing to who does.
 */
export async function* freeVouchers(
  { table, project }: Pick<Reading, 'table' | 'project'>,
  campaignId: string,
  wanted: number,
): AsyncGenerator<VoucherItem> {
  const start = idPrefixes.voucher + randomBytes(16).toString('base64url');
  const seen = new Set<string>();
  let atOnce = wanted + spare;
  let open: Key[] = [];
  async function free(): Promise<VoucherItem[]> {
    const stored = await table.getMany(open);
    open = [];
    atOnce = Math.max(atOnce, whenCrowded);
    const items = stored.flatMap((item) => (item ? [parseStored(voucherItem, item)] : []));
    return shuffled(items.filter((item) => isFree(item) && !isUsedUp(item)));
  }
  for (const range of [{ from: start }, { to: start }]) {
    for await (const { key, at } of entries(table, voucherLists.free, [project.id, campaignId], { ...range, atOnce })) {
      if (seen.has(at)) continue;
      seen.add(at);
      open.push(key);
      if (open.length === atOnce) yield* await free();
    }
  }
  if (open.length > 0) yield* await free();
}
