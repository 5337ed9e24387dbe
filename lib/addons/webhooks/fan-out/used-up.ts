import { hash } from 'node:crypto';
import * as v from 'valibot';
import { readCommittedUses } from '#engine/holds/committed-uses.ts';
import { isUsedUp } from '#engine/ledger/codes/voucher-lists.ts';
import { type VoucherItem, vouchers } from '#engine/vouchers/voucher.ts';
import { dateTime, text } from '#kernel/core/schema.ts';
import type { Showing } from '#kernel/http/context.ts';
import { type Attributes, parseStored } from '#kernel/table/item.ts';
import { keyText } from '#kernel/table/keys.ts';
import type { FoundEvent } from '../events/find-events.ts';
import { readToldItem } from './payloads.ts';

/**
 * Finds vouchers without a use left. Each redemption may be the last use, so the voucher's present state decides
 * (docs/webhooks.md#used-up). The redemption itself costs nothing more.
 */

const redeemed = v.object({ related_object_id: text, voucher_created_at: v.optional(dateTime) });

/** Returns the voucher of a redemption, if it has no use left. A later voucher with the same code does not count. */
async function readUsedUp(context: Showing, redemption: Attributes): Promise<VoucherItem | undefined> {
  const { related_object_id, voucher_created_at } = parseStored(redeemed, redemption);
  const key = vouchers(context.project.id, related_object_id);
  const [stored] = await context.table.getMany([key]);
  if (!stored) return undefined;
  const item = parseStored(vouchers.schema, stored);
  if (!isUsedUp(item) || item.created_at !== (voucher_created_at ?? item.created_at)) return undefined;
  // The item of a code that every customer may use also counts uses that containers only hold.
  const settled = await readCommittedUses(context, { key, item: stored, attribute: 'redeemed_quantity' });
  const committed = parseStored(vouchers.schema, settled);
  return isUsedUp(committed) ? committed : undefined;
}

/**
 * Returns the event of a voucher without a use left, and other events unchanged. Its id follows from all uses that the
 * voucher ever had, including those that were rolled back. Redemptions that see the same last use thus report the same
 * event, and a new last use is a separate event.
 */
export async function settleUsedUp(context: Showing, event: FoundEvent): Promise<FoundEvent | undefined> {
  if (event.type !== 'voucher.used_up') return event;
  const redemption = await readToldItem(context, event);
  const voucher = redemption && (await readUsedUp(context, redemption));
  if (!voucher) return undefined;
  const { id, created_at, redeemed_quantity, returned_quantity } = voucher;
  const about = [keyText(vouchers(context.project.id, id)), created_at, redeemed_quantity + returned_quantity];
  return { ...event, id: `ev_${hash('sha256', `${event.type} ${about.join(' ')}`, 'base64url')}` };
}
