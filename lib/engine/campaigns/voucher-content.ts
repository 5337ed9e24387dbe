import { findLastGoodDay } from '#engine/ledger/lots.ts';
import { areInOrder, type Dates, mergeDates } from '#engine/rules/validity/dates.ts';
import { formatDay } from '#kernel/core/calendar.ts';
import { dueAttributes } from '#kernel/table/due.ts';
import type { Effect } from '#kernel/table/effects.ts';
import type { Attributes } from '#kernel/table/item.ts';
import type { ItemKey } from '#kernel/table/kind.ts';
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

/** Makes a new card due immediately. The job that settles cards finds its member's tier, and sets the next day. */
export function makeDue(key: ItemKey, type: VoucherType, now: Date): Attributes {
  // The due index finds items without their project, so the item names it.
  return type === 'LOYALTY_CARD' ? { project_id: key.project, ...dueAttributes(key, formatDay(now)) } : {};
}

/** Holds the dates of a campaign and of its `voucher` part. */
interface CampaignDates extends Dates {
  voucher?: Dates | undefined;
}

/** Returns a voucher's dates: from the `voucher` part, or else the campaign's own. */
function voucherDates({ voucher = {}, ...own }: CampaignDates): Dates {
  return {
    start_date: voucher.start_date ?? own.start_date,
    expiration_date: voucher.expiration_date ?? own.expiration_date,
  };
}

/** Checks the vouchers' dates. Accepts a campaign with its own dates out of order, because another check refuses those. */
export function areVouchersInOrder(campaign: CampaignDates): boolean {
  return areInOrder(voucherDates(campaign)) || !areInOrder(campaign);
}

export function haveVouchersStart(campaign: CampaignDates): boolean {
  return !campaign.voucher?.validity_timeframe || Boolean(voucherDates(campaign).start_date);
}

/** Returns the faults of an update's dates against the `voucher` part, which an update can't change. */
export function findVoucherDateFaults(stored: CampaignDates, body: Dates): string[] {
  const { voucher } = stored;
  const after = { ...mergeDates(stored, body), voucher };
  // The vouchers define the opposite date themselves.
  const place = voucher?.start_date ? 'expiration_date' : 'start_date';
  const faults: string[] = [];
  if (body[place] && !areVouchersInOrder(after)) {
    const [when, end] = voucher?.start_date ? ['before', 'start'] : ['after', 'end'];
    faults.push(`${place} must not be ${when} the ${end} that the campaign gives its vouchers`);
  }
  if (body.start_date === null && !haveVouchersStart(after)) {
    faults.push("start_date must not be null: the timeframe of the campaign's vouchers counts from it");
  }
  return faults;
}
