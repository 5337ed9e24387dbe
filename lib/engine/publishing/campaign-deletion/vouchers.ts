import * as v from 'valibot';
import { placeVoucherInCampaign, voucherLists } from '#engine/ledger/codes/voucher-lists.ts';
import { removeChild } from '#engine/vouchers/referee.ts';
import { buryVoucher, removeVoucher } from '#engine/vouchers/remove-voucher.ts';
import { type VoucherItem, voucherItem, vouchers } from '#engine/vouchers/voucher.ts';
import type { Reading } from '#kernel/http/context.ts';
import { walkChildPages } from '#kernel/kit/deletion/children.ts';
import { splitIntoBatches } from '#kernel/table/batches.ts';
import { change, type Effect, removeFenced } from '#kernel/table/effects.ts';
import { type Attributes, parseStored } from '#kernel/table/item.ts';
import { type Key, keyText } from '#kernel/table/keys.ts';
import { walkList } from '#kernel/table/listing.ts';

/** Limits the writes besides two checks, in a transaction of 100. */
export const effectsAtOnce = 90;

/** Limits the vouchers that are examined together: a transaction's number of vouchers without children. */
const vouchersAtOnce = effectsAtOnce;
/** Keys are read for this number of batches together, because each partition of the list is a call. */
const batchesListed = 20;

/** Reads keys of the campaign's vouchers and tombstones after a place in their list, with the place of the last key. */
export async function* walkVoucherBatches({ table, project }: Reading, campaignId: string, behind: string | undefined) {
  const range = { atOnce: vouchersAtOnce * batchesListed, ...(behind === undefined ? {} : { behind }) };
  const all = walkList(table, voucherLists.ofCampaign, [project.id, campaignId], range);
  for await (const batch of splitIntoBatches(all, vouchersAtOnce)) {
    yield { keys: batch.map(({ key }) => key), at: batch.at(-1)?.at };
  }
}

/** Returns whether the voucher was only generated. Such a voucher has no children. */
function isUntouched({ type, updated_at, holder_id, publish_count, revision }: VoucherItem): boolean {
  return type === 'DISCOUNT_VOUCHER' && !updated_at && !holder_id && publish_count === 0 && revision === undefined;
}

const tombstone = v.object({ deleted_at: v.optional(v.string()) });

/** Yields the removal of one voucher: its children first, in several transactions if necessary, then the voucher with the rest. */
async function* goingOf(context: Reading, stored: Attributes, keeps: boolean): AsyncGenerator<Effect[]> {
  const { table, project } = context;
  const item = parseStored(voucherItem, stored);
  const { deleted_at } = parseStored(tombstone, stored);
  const key = vouchers(project.id, item.id);
  if (deleted_at !== undefined) {
    if (!keeps) yield [removeFenced(key, (update) => update.whenStill('deleted_at', deleted_at), context.now)];
    return;
  }
  let children: Effect[] = [];
  if (!isUntouched(item)) {
    for await (const page of walkChildPages(table, key))
      children.push(...page.flatMap((child) => removeChild(project.id, item.id, child)));
  }
  for (; children.length > effectsAtOnce / 2; children = children.slice(effectsAtOnce)) {
    yield children.slice(0, effectsAtOnce);
  }
  if (!keeps) return yield [...children, ...removeVoucher(context, item)];
  const place = placeVoucherInCampaign(project.id, item.campaign_id ?? '', item);
  yield [...children, ...buryVoucher(context, item), change(key, (update) => update.setAll(place))];
}

/** The removals of one transaction, and the number of their vouchers. */
export interface RemovalBatch {
  effects: Effect[];
  vouchers: number;
}

/** Yields the removals of existing vouchers by transactions. */
export async function* walkRemovalBatches(
  context: Reading,
  keys: readonly Key[],
  keeps: boolean,
): AsyncGenerator<RemovalBatch> {
  let open: RemovalBatch = { effects: [], vouchers: 0 };
  // The items of the open transaction are counted here, because building its writes again for each voucher would need
  // quadratic time.
  const items = new Set<string>();
  for (const stored of await context.table.getMany(keys, { deletedToo: true })) {
    if (!stored) continue;
    let last: Effect[] | undefined;
    for await (const effects of goingOf(context, stored, keeps)) {
      if (last) yield { effects: last, vouchers: 0 };
      last = effects;
    }
    if (!last) continue;
    const own = new Set(last.map(({ key }) => keyText(key)));
    const more = [...own].filter((one) => !items.has(one)).length;
    if (items.size + more > effectsAtOnce) {
      yield open;
      open = { effects: [], vouchers: 0 };
      items.clear();
    }
    open.effects.push(...last);
    if (stored.deleted_at === undefined) open.vouchers += 1;
    for (const one of own) items.add(one);
  }
  if (open.effects.length > 0) yield open;
}
