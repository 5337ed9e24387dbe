import * as v from 'valibot';
import type { Reading } from '../../http/context.ts';
import { childrenOf } from '../../kit/deletion/children.ts';
import { placeInCampaign, voucherLists } from '../../ledger/codes/voucher-lists.ts';
import { inBatches } from '../../table/batches.ts';
import { change, type Effect, remove } from '../../table/effects.ts';
import { type Attributes, parseStored } from '../../table/item.ts';
import { type Key, keyText } from '../../table/keys.ts';
import { entries } from '../../table/listing.ts';
import { childGone } from '../../vouchers/referee.ts';
import { type VoucherItem, voucherItem, vouchers } from '../../vouchers/voucher.ts';
import { voucherBuried, voucherGone } from '../../vouchers/voucher-gone.ts';

/** Besides two checks, in one transaction of 100. */
export const effectsAtOnce = 90;

/** Vouchers that are looked at together: as many as go in one transaction, where they have nothing beside them. */
const vouchersAtOnce = effectsAtOnce;
/** Keys are read for so many batches at once: each partition of the list is a call. */
const batchesListed = 20;

/** Keys of the campaign's vouchers, tombstones too, behind a place in their list, with the place of the last. */
export async function* voucherBatches({ table, project }: Reading, campaignId: string, behind: string | undefined) {
  const range = { atOnce: vouchersAtOnce * batchesListed, ...(behind === undefined ? {} : { behind }) };
  const all = entries(table, voucherLists.ofCampaign, [project.id, campaignId], range);
  for await (const batch of inBatches(all, vouchersAtOnce)) {
    yield { keys: batch.map(({ key }) => key), at: batch.at(-1)?.at };
  }
}

/** One that was only ever made has nothing beside it. */
function isUntouched({ type, updated_at, holder_id, publish_count, revision }: VoucherItem): boolean {
  return type === 'DISCOUNT_VOUCHER' && !updated_at && !holder_id && publish_count === 0 && revision === undefined;
}

const tombstone = v.object({ deleted_at: v.optional(v.string()) });

/** How one voucher goes: what stands beside it first, in as many transactions as that takes, then it with the rest. */
async function* goingOf(context: Reading, stored: Attributes, keeps: boolean): AsyncGenerator<Effect[]> {
  const { table, project } = context;
  const item = parseStored(voucherItem, stored);
  const { deleted_at } = parseStored(tombstone, stored);
  const key = vouchers(project.id, item.id);
  if (deleted_at !== undefined) {
    if (!keeps) yield [remove(key, (update) => update.whenStill('deleted_at', deleted_at))];
    return;
  }
  let children: Effect[] = [];
  if (!isUntouched(item)) {
    for await (const page of childrenOf(table, key))
      children.push(...page.flatMap((child) => childGone(project.id, item.id, child)));
  }
  for (; children.length > effectsAtOnce / 2; children = children.slice(effectsAtOnce)) {
    yield children.slice(0, effectsAtOnce);
  }
  if (!keeps) return yield [...children, ...voucherGone(context, item)];
  const place = placeInCampaign(project.id, item.campaign_id ?? '', item);
  yield [
    ...children,
    ...voucherBuried(context, item),
    change(key, (update) => Object.entries(place).reduce((all, [name, value]) => all.set([name], value), update)),
  ];
}

/** What one transaction takes away, and how many vouchers those are. */
export interface Going {
  effects: Effect[];
  vouchers: number;
}

/** What of these is still there, by transactions, as it is now. */
export async function* goingBatches(context: Reading, keys: readonly Key[], keeps: boolean): AsyncGenerator<Going> {
  let open: Going = { effects: [], vouchers: 0 };
  // Of the items that the open transaction has: to make its writes for each voucher anew would take the time of their square.
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
