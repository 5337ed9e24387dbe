import type { ReferralReward } from '#engine/campaigns/campaign.ts';
import type { CustomerItem } from '#engine/customers/customer.ts';
import { findHeldCards } from '#engine/customers/find-customer.ts';
import type { LedgerEntry } from '#engine/ledger/ledger-entry.ts';
import { findVoucherRefusal } from '#engine/rules/validity/refusals.ts';
import { unlessUsedUp } from '#engine/vouchers/free-code.ts';
import { type GiftChange, makeGift } from '#engine/vouchers/gift-credit.ts';
import type { VoucherItem } from '#engine/vouchers/voucher.ts';
import type { Reading } from '#kernel/http/context.ts';
import type { Effect } from '#kernel/table/effects.ts';
import type { Gain } from '../earning/card-earnings.ts';
import type { EarningProgramme, Programmes } from '../earning/earning-programmes.ts';
import { chooseCard, type Occurrence } from '../earning/gains.ts';
import { newCard } from '../new-card.ts';

/**
 * Gives points on a card of the reward's campaign, or credits on a gift voucher. A customer without a card or gift
 * voucher gets a new one there. A customer whose cards cannot be used gets nothing, and no customer gets anything while
 * the campaign cannot be used.
 */

export interface OwedReward {
  readonly given: ReferralReward;
  /** The conversion's name in ledgers. */
  readonly about: LedgerEntry['about'];
}

/** A referee or a referrer, with their loyalty and gift cards and their rewards. */
export interface Rewarded extends Pick<Occurrence, 'customerId' | 'held'> {
  readonly rewards: readonly OwedReward[];
}

/** The rewards of a referrer for the conversions of one transaction. */
export interface Owed {
  readonly referrer: CustomerItem;
  readonly rewards: readonly OwedReward[];
}

/**
 * Reads the cards of rewarded referrers. Their revision, which is read before, guards against a card that is created
 * after this read.
 */
export function readReferrers(context: Reading, owed: readonly Owed[]): Promise<Rewarded[]> {
  return Promise.all(
    owed.map(async ({ referrer: { id: customerId }, rewards }) => {
      return { customerId, held: await findHeldCards(context, customerId), rewards };
    }),
  );
}

const campaignTypes = { LOYALTY_CARD: 'LOYALTY_PROGRAM', GIFT_VOUCHER: 'GIFT_VOUCHERS' } as const;

interface Giving {
  readonly programme: EarningProgramme;
  readonly rewards: readonly OwedReward[];
}

/** Returns the rewards of a type, by the giving campaign. */
async function givingOf(
  { now }: Reading,
  programmes: Programmes,
  rewards: readonly OwedReward[],
  type: OwedReward['given']['type'],
): Promise<Giving[]> {
  const ofType = rewards.filter(({ given }) => given.type === type);
  const byCampaign = Map.groupBy(ofType, ({ given }) => given.related_object_parent.id);
  const found = await programmes.get([...byCampaign.keys()]);
  return [...byCampaign].flatMap(([id, own]) => {
    const programme = found.get(id);
    const isOfType = programme?.campaign.campaign_type === campaignTypes[type];
    if (!isOfType || findVoucherRefusal({ campaign_id: id }, programme.campaign, now)) return [];
    return [{ programme, rewards: own }];
  });
}

function isCardOf({ campaign_id, holder_id }: VoucherItem, { customerId }: Rewarded, { campaign }: EarningProgramme) {
  return campaign_id === campaign.id && holder_id === customerId;
}

/** Adds the points of a campaign: to a card that gains already, to another card of the customer, or to a new card. */
async function addPoints(
  context: Reading,
  gains: readonly Gain[],
  customer: Rewarded,
  { programme, rewards }: Giving,
): Promise<readonly Gain[]> {
  const { isHolder, item } = chooseCard(customer, programme, context.now);
  const postings = rewards.map(({ given, about }) => ({
    type: 'POINTS_ACCRUAL' as const,
    points: given.amount,
    about,
  }));
  const known = gains.find(({ card, isNew }) =>
    isNew ? isCardOf(card.item, customer, programme) : card.item.id === item?.id,
  );
  if (known) {
    return [...gains.filter((gain) => gain !== known), { ...known, rewards: [...known.rewards, ...postings] }];
  }
  const other = { earnings: [], rewards: postings };
  if (item) return [...gains, { ...other, card: { item, programme }, isNew: false }];
  if (isHolder) return gains;
  const card = await unlessUsedUp(() => newCard(context, programme, customer.customerId));
  return card ? [...gains, { ...other, card, isNew: true }] : gains;
}

/** Adds the points of conversions to the gains. */
export async function addRewardPoints(
  context: Reading,
  programmes: Programmes,
  gains: readonly Gain[],
  customers: readonly Rewarded[],
): Promise<readonly Gain[]> {
  let all = gains;
  for (const customer of customers) {
    for (const giving of await givingOf(context, programmes, customer.rewards, 'LOYALTY_CARD')) {
      all = await addPoints(context, all, customer, giving);
    }
  }
  return all;
}

/** Returns whether one of the gains makes a card for the customer. */
export function hasNewCard(gains: readonly Gain[], customerId: string | undefined): boolean {
  return gains.some(({ isNew, card }) => isNew && card.item.holder_id === customerId);
}

export interface Credits {
  readonly gifts: readonly GiftChange[];
  /** Inserts new vouchers. The change of each customer in `madeFor` must require their revision. */
  readonly made: readonly Effect[];
  readonly madeFor: readonly string[];
}

export const noCredits: Credits = { gifts: [], made: [], madeFor: [] };

async function creditsOfOne(context: Reading, programmes: Programmes, customer: Rewarded): Promise<Credits> {
  const { customerId } = customer;
  const gifts: GiftChange[] = [];
  const made: Effect[] = [];
  for (const { programme, rewards: own } of await givingOf(context, programmes, customer.rewards, 'GIFT_VOUCHER')) {
    const { campaign } = programme;
    const { isHolder, item } = chooseCard(customer, programme, context.now);
    if (item) {
      for (const { given, about } of own) {
        gifts.push({ item, campaign, posting: { type: 'CREDITS_ADDITION', points: given.amount, about } });
      }
    } else if (!isHolder) {
      const amount = own.reduce((sum, { given }) => sum + given.amount, 0);
      made.push(...((await unlessUsedUp(() => makeGift(context, campaign, customerId, amount))) ?? []));
    }
  }
  return { gifts, made, madeFor: made.length > 0 ? [customerId] : [] };
}

/** Returns the credits of conversions, on existing and new gift vouchers. */
export async function findCredits(
  context: Reading,
  programmes: Programmes,
  customers: readonly Rewarded[],
): Promise<Credits> {
  const all = await Promise.all(customers.map((customer) => creditsOfOne(context, programmes, customer)));
  return {
    gifts: all.flatMap(({ gifts }) => gifts),
    made: all.flatMap(({ made }) => made),
    madeFor: all.flatMap(({ madeFor }) => madeFor),
  };
}
