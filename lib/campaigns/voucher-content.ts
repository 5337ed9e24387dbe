import { formatDay } from '../core/calendar.ts';
import { findLastGoodDay } from '../ledger/lots.ts';
import { dueAttributes } from '../table/due.ts';
import type { Effect } from '../table/effects.ts';
import type { Attributes } from '../table/item.ts';
import type { ItemKey } from '../table/kind.ts';
import type { CampaignItem } from './campaign.ts';
import { countEvents } from './counters.ts';
import type { VoucherType } from './kinds.ts';

type Gift = NonNullable<NonNullable<CampaignItem['voucher']>['gift']>;

/** Counts new vouchers of a campaign, with their opening amounts and points. */
export function countCreated(
  projectId: string,
  { id, campaign_type, voucher }: Pick<CampaignItem, 'id' | 'campaign_type' | 'voucher'>,
  number: number,
  now: Date,
): Effect[] {
  const { gift, loyalty_card } = voucher ?? {};
  return countEvents(projectId, id, now, {
    vouchers_created: number,
    created_vouchers_amount: campaign_type === 'GIFT_VOUCHERS' ? number * (gift?.amount ?? 0) : 0,
    created_vouchers_points: campaign_type === 'LOYALTY_PROGRAM' ? number * (loyalty_card?.points ?? 0) : 0,
  });
}

/** Describes the content of a new voucher that differs from its campaign's. */
interface Own {
  type: VoucherType;
  gift?: { amount?: number | undefined; effect?: Gift['effect'] } | null | undefined;
  loyalty_card?: { points?: number | undefined } | null | undefined;
}

/** Returns the opening content of a gift voucher or card: its own, or else its campaign's. */
export function openContent({ type, gift, loyalty_card }: Own, given: CampaignItem['voucher'], now: Date) {
  if (type === 'GIFT_VOUCHER') {
    const amount = gift?.amount ?? given?.gift?.amount ?? 0;
    return { gift: { amount, effect: gift?.effect ?? given?.gift?.effect }, gift_balance: amount };
  }
  if (type !== 'LOYALTY_CARD') return {};
  const points = loyalty_card?.points ?? given?.loyalty_card?.points ?? 0;
  const expires = findLastGoodDay(given?.loyalty_card?.expiration_rules, formatDay(now));
  return {
    credited_points: points,
    opening_balance: points,
    expired_points: 0,
    lots: points > 0 ? [{ points, expires }] : [],
  };
}

/** Makes a new card due at once. The job that settles cards finds its member's tier, and sets the next day. */
export function makeDue(key: ItemKey, type: VoucherType, now: Date): Attributes {
  // The due index finds items without their project, so the item names it.
  return type === 'LOYALTY_CARD' ? { project_id: key.project, ...dueAttributes(key, formatDay(now)) } : {};
}
