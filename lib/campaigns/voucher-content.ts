import { dayOf } from '../calendar.ts';
import { lastGoodDay } from '../ledger/points-expiration.ts';
import { dueAttributes } from '../table/due.ts';
import type { Attributes } from '../table/item.ts';
import type { ItemKey } from '../table/kind.ts';
import type { CampaignItem } from './campaign.ts';
import type { VoucherType } from './kinds.ts';

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
