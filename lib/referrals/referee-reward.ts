import type { ReferralProgram } from '../campaigns/referral-program.ts';
import type { Reading } from '../context.ts';
import type { Gain } from '../earning/card-earnings.ts';
import type { EarningProgramme, Programmes } from '../earning/earning-programmes.ts';
import { chosenCard, type Occurrence } from '../earning/gains.ts';
import type { LedgerEntry } from '../ledger/ledger-entry.ts';
import { newCard } from '../loyalty/join.ts';
import type { Effect } from '../table/effects.ts';
import { voucherRefusal } from '../validity/usable.ts';
import { type GiftChange, newGift } from '../vouchers/gift-credit.ts';

/**
 * What conversions give the referee: points on their card in the campaign that the reward names, or credits on their gift voucher
 * there. Who holds none gets one; who holds only such as can't be used gets nothing, and neither does anybody while that campaign
 * can't be used.
 */

export interface Reward {
  readonly given: NonNullable<ReferralProgram['referee_reward']>;
  /** What it is for, as the ledger has it. */
  readonly about: LedgerEntry['about'];
}

/** The referee, with the loyalty and gift cards that they hold. */
export type Referee = Pick<Occurrence, 'customerId' | 'held'>;

const campaignTypes = { LOYALTY_CARD: 'LOYALTY_PROGRAM', GIFT_VOUCHER: 'GIFT_VOUCHERS' } as const;

interface Giving {
  readonly programme: EarningProgramme;
  readonly rewards: readonly Reward[];
}

/** The rewards of a type, by the campaign that gives them. */
async function givingOf(
  { now }: Reading,
  programmes: Programmes,
  rewards: readonly Reward[],
  type: Reward['given']['type'],
): Promise<Giving[]> {
  const ofType = rewards.filter(({ given }) => given.type === type);
  const byCampaign = Map.groupBy(ofType, ({ given }) => given.related_object_parent.id);
  const found = await programmes.get([...byCampaign.keys()]);
  return [...byCampaign].flatMap(([id, own]) => {
    const programme = found.get(id);
    const isOfType = programme?.campaign.campaign_type === campaignTypes[type];
    if (!isOfType || voucherRefusal({ campaign_id: id }, programme.campaign, now)) return [];
    return [{ programme, rewards: own }];
  });
}

/** The gains with the points of one campaign: on a card that gains already, on another of the referee's, or on a new one. */
async function withPointsOf(
  context: Reading,
  gains: readonly Gain[],
  referee: Referee,
  { programme, rewards }: Giving,
): Promise<readonly Gain[]> {
  const { isHolder, item } = chosenCard(referee, programme, context.now);
  const postings = rewards.map(({ given, about }) => ({
    type: 'POINTS_ACCRUAL' as const,
    points: given.amount,
    about,
  }));
  const known = gains.find(({ card, isNew }) =>
    isNew ? card.item.campaign_id === programme.campaign.id : card.item.id === item?.id,
  );
  if (known) return [...gains.filter((gain) => gain !== known), { ...known, rewards: postings }];
  const other = { earnings: [], rewards: postings };
  if (item) return [...gains, { ...other, card: { item, programme }, isNew: false }];
  if (isHolder) return gains;
  return [...gains, { ...other, card: await newCard(context, programme, referee.customerId), isNew: true }];
}

export async function withPoints(
  context: Reading,
  programmes: Programmes,
  gains: readonly Gain[],
  referee: Referee,
  rewards: readonly Reward[],
): Promise<readonly Gain[]> {
  let all = gains;
  for (const giving of await givingOf(context, programmes, rewards, 'LOYALTY_CARD')) {
    all = await withPointsOf(context, all, referee, giving);
  }
  return all;
}

export interface Credits {
  readonly gifts: readonly GiftChange[];
  /** Of vouchers that are made for the referee, which the referee's change has to say. */
  readonly made: readonly Effect[];
}

export async function creditsFor(
  context: Reading,
  programmes: Programmes,
  referee: Referee,
  rewards: readonly Reward[],
): Promise<Credits> {
  const gifts: GiftChange[] = [];
  const made: Effect[] = [];
  for (const { programme, rewards: own } of await givingOf(context, programmes, rewards, 'GIFT_VOUCHER')) {
    const { campaign } = programme;
    const { isHolder, item } = chosenCard(referee, programme, context.now);
    if (item) {
      for (const { given, about } of own) {
        gifts.push({ item, campaign, posting: { type: 'CREDITS_ADDITION', points: given.amount, about } });
      }
    } else if (!isHolder) {
      const amount = own.reduce((sum, { given }) => sum + given.amount, 0);
      made.push(...(await newGift(context, campaign, referee.customerId, amount)));
    }
  }
  return { gifts, made };
}
