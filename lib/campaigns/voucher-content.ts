import { dayOf } from '../calendar.ts';
import { lastGoodDay } from '../ledger/points-expiration.ts';
import { dueAttributes } from '../table/due.ts';
import type { Effect } from '../table/effects.ts';
import type { Attributes } from '../table/item.ts';
import type { ItemKey } from '../table/kind.ts';
import type { CampaignItem } from './campaign.ts';
import { countOf } from './counters.ts';
import type { VoucherType } from './kinds.ts';

/** Counts new vouchers of a campaign, with all that they begin with. */
export function vouchersCreated(
  projectId: string,
  { id, campaign_type, voucher }: Pick<CampaignItem, 'id' | 'campaign_type' | 'voucher'>,
  number: number,
  now: Date,
): Effect[] {
  const { gift, loyalty_card } = voucher ?? {};
  return countOf(projectId, id, now, {
    vouchers_created: number,
    created_vouchers_amount: campaign_type === 'GIFT_VOUCHERS' ? number * (gift?.amount ?? 0) : 0,
    created_vouchers_points: campaign_type === 'LOYALTY_PROGRAM' ? number * (loyalty_card?.points ?? 0) : 0,
  });
}

interface Made {
  key: ItemKey;
  type: VoucherType;
  now: Date;
}

/** What a new gift voucher or card of the campaign begins with; a card is due to be looked at, by which its member's tier is found. */
export function firstContent(given: CampaignItem['voucher'], { key, type, now }: Made): Attributes {
  if (type === 'GIFT_VOUCHER') {
    const { amount = 0, effect } = given?.gift ?? {};
    return { gift: { amount, effect }, gift_balance: amount };
  }
  if (type !== 'LOYALTY_CARD') return {};
  const { points = 0, expiration_rules } = given?.loyalty_card ?? {};
  const day = dayOf(now);
  const lots = points > 0 ? [{ points, expires: lastGoodDay(expiration_rules, day) }] : [];
  // `project_id`: what is due is found without a project.
  const due = { project_id: key.project, ...dueAttributes(key, day) };
  return { credited_points: points, opening_balance: points, lots, ...due };
}
