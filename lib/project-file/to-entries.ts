import * as v from 'valibot';
import type { Attributes } from '../dynamodb.ts';
import { lot } from '../vouchers/voucher.ts';
import { type ListKey, lists } from './entries.ts';

/** An entry of a project file that is to be written: what `to-items.ts` makes of it is the item that it comes from. */
export type Draft = Record<string, unknown>;

/** What the interface calls them; lists without a name of their own have none. */
const objects: { readonly [K in ListKey]?: string } = {
  categories: 'category',
  campaigns: 'campaign',
  vouchers: 'voucher',
  validation_rules_assignments: 'validation_rules_assignment',
  promotion_tiers: 'promotion_tier',
  loyalty_tiers: 'loyalty_tier',
  rewards: 'reward',
  reward_assignments: 'reward_assignment',
  customers: 'customer',
};

/** Fields that the interface shows as `null` where there is nothing. */
const nulls: { readonly [K in ListKey]?: readonly string[] } = {
  campaigns: ['category_id'],
  vouchers: ['additional_info'],
  rewards: ['stock', 'redeemed', 'updated_at'],
  reward_assignments: ['updated_at'],
};

/** The fields of the list that the item has; whatever else is in it is the service's own. */
export function plainEntry(list: ListKey, item: Attributes): Draft {
  const entry: Draft = {};
  for (const name of Object.keys(lists[list].entries)) {
    const value = item[name] ?? (nulls[list]?.includes(name) ? null : undefined);
    if (value !== undefined) entry[name] = value;
  }
  const object = objects[list];
  return object === undefined ? entry : { ...entry, object };
}

/** A generation that is under way here has nobody to end it elsewhere. */
export function campaignEntry(item: Attributes): { entry: Draft; isUnfinished: boolean } {
  const entry = plainEntry('campaigns', item);
  const isUnfinished = [entry.creation_status, entry.vouchers_generation_status].includes('IN_PROGRESS');
  const ended = { creation_status: 'FAILED', vouchers_generation_status: 'FAILED' };
  return { entry: isUnfinished ? { ...entry, ...ended } : entry, isUnfinished };
}

const giftItem = v.looseObject({ amount: v.number(), effect: v.optional(v.string()) });

const cardFigures = v.object({
  credited_points: v.optional(v.number(), 0),
  lots: v.optional(v.array(lot), []),
  standing: v.optional(v.unknown()),
});

function cardEntry(item: Attributes): Draft {
  const { credited_points, lots, standing } = v.parse(cardFigures, item);
  const balance = lots.reduce((sum, { points }) => sum + points, 0);
  // What a card without lots is taken for.
  const isOneLot = lots.length === 0 || (lots.length === 1 && lots[0]?.expires === null);
  return {
    points: credited_points,
    balance,
    ...(isOneLot ? {} : { lots }),
    ...(standing === undefined ? {} : { standing }),
  };
}

export function voucherEntry(item: Attributes): Draft {
  const { object, ...entry } = plainEntry('vouchers', item);
  const figures = Object.entries({
    redeemed_quantity: item.redeemed_quantity,
    redeemed_points: item.redeemed_points,
    redeemed_amount: item.redeemed_amount,
  }).filter(([, figure]) => figure !== undefined);
  const quantity = item.redemption_quantity;
  return {
    ...entry,
    ...(item.gift ? { gift: { ...v.parse(giftItem, item.gift), balance: item.gift_balance } } : {}),
    ...(item.type === 'LOYALTY_CARD' ? { loyalty_card: cardEntry(item) } : {}),
    ...(item.publish_count === undefined ? {} : { publish: { count: item.publish_count } }),
    ...(quantity === undefined && figures.length === 0
      ? {}
      : { redemption: { quantity: quantity ?? null, ...Object.fromEntries(figures) } }),
    object,
  };
}

const assignments = v.optional(v.array(v.looseObject({ related_object_type: v.string() })), []);

/** They stand in what they are about; a voucher is named by its code, since its id is another in every table. */
export function assignmentEntries(item: Attributes): Draft[] {
  return v.parse(assignments, item.validation_rules_assignments).map((assignment) => ({
    ...assignment,
    ...(assignment.related_object_type === 'voucher' ? { related_object_id: item.code } : {}),
  }));
}

const customerReferrals = v.object({
  referred_in: v.optional(v.array(v.looseObject({ related_object_id: v.string() })), []),
});

/** Ids of the vouchers by which the customer came in. */
export function vouchersOfCustomer(item: Attributes): string[] {
  return v.parse(customerReferrals, item).referred_in.map(({ related_object_id }) => related_object_id);
}

/** `codeOf`: of a voucher's id. */
export function customerEntry(item: Attributes, codeOf: (voucherId: string) => string | undefined): Draft {
  const { referred_in, object, ...entry } = plainEntry('customers', item);
  const referrals = v.parse(customerReferrals, item).referred_in.flatMap((referral) => {
    const related_object_id = codeOf(referral.related_object_id);
    return related_object_id === undefined ? [] : [{ ...referral, related_object_id }];
  });
  return { ...entry, ...(referrals.length > 0 ? { referred_in: referrals } : {}), object };
}

const activityData = v.looseObject({ data: v.looseObject({ customer: v.object({ id: v.string() }) }) });

/** A category that has been renamed since can't be referred to any more by the name that it had. */
export function activityEntry(item: Attributes, isCategory: (name: string) => boolean): Draft {
  const { category, ...entry } = plainEntry('activities', item);
  const data = v.parse(activityData, item.data);
  return {
    ...entry,
    data: { ...data, data: { ...data.data, customer: { id: data.data.customer.id, object: 'customer' } } },
    ...(typeof category === 'string' && isCategory(category) ? { category } : {}),
  };
}

export function pendingPointsEntry(item: Attributes, code: string): Draft {
  const { state, ...entry } = plainEntry('pending_points', item);
  return { ...entry, code, ...(state === 'PENDING' ? {} : { state }) };
}
