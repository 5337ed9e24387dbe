import { randomInt } from 'node:crypto';
import { isFree, isUsedUp, voucherLists } from '#engine/ledger/codes/voucher-lists.ts';
import { type VoucherItem, voucherItem, vouchers } from '#engine/vouchers/voucher.ts';
import type { Reading } from '#kernel/http/context.ts';
import { parseStored } from '#kernel/table/item.ts';
import { type Key, stripKey } from '#kernel/table/keys.ts';
import { walkList } from '#kernel/table/listing.ts';

/** Vouchers that are read beyond the requested number. */
const spare = 2;
/** Vouchers that one call reads, after the first few. */
const readAtOnce = 25;
/** Under contention each request draws from this number of places in the list, so that requests rarely conflict. */
const rushPlaces = 200;

function shuffled<T>(all: readonly T[]): T[] {
  return all
    .map((one) => ({ one, place: randomInt(2 ** 32) }))
    .sort((a, b) => a.place - b.place)
    .map(({ one }) => one);
}

/**
 * Yields free vouchers of a campaign, each once: the oldest first, or any if `isRush` says that other requests also
 * publish vouchers. The list lags, so each voucher is read before it is yielded, and its publication still has a
 * condition. A code that was used up before is worthless, and is skipped.
 */
export async function* walkFreeVouchers(
  { table, project }: Pick<Reading, 'table' | 'project'>,
  campaignId: string,
  { wanted, isRush }: { wanted: number; isRush: () => boolean },
): AsyncGenerator<VoucherItem> {
  let last: string | undefined;
  const walkOn = (atOnce: number) =>
    walkList(table, voucherLists.free, [project.id, campaignId], { behind: last, atOnce });
  let atOnce = wanted + spare;
  let walk = walkOn(atOnce);
  let open: Key[] = [];

  /** Opens places of the list until enough are open, or the list ends. */
  async function fill(places: number): Promise<void> {
    while (open.length < places) {
      const { value, done } = await walk.next();
      if (done) return;
      last = value.at;
      open.push(value.key);
    }
  }

  async function nextFree(): Promise<VoucherItem[]> {
    const stored = await table.getMany(open.splice(0, atOnce));
    const items = stored.flatMap((item) => (item ? [parseStored(voucherItem, item)] : []));
    return items.filter((item) => isFree(item) && !isUsedUp(item));
  }

  for (let wasRush = false; ; wasRush = isRush()) {
    if (atOnce !== readAtOnce && last !== undefined) {
      atOnce = readAtOnce;
      walk = walkOn(rushPlaces);
    }
    await fill(wasRush ? rushPlaces : atOnce);
    if (open.length === 0) return;
    if (wasRush) open = shuffled(open);
    const found = await nextFree();
    for (let item = found.shift(); item !== undefined; item = found.shift()) {
      yield item;
      if (wasRush || !isRush()) continue;
      // Other requests compete for these vouchers, so each continues at a random place.
      open.push(...found.splice(0).map(({ id }) => stripKey(vouchers(project.id, id))));
    }
  }
}
