import type { Occasion } from '../activities/activity.ts';
import type { ReferralProgram } from '../campaigns/referral-program.ts';
import type { Writing } from '../context.ts';
import type { Gain } from '../earning/card-earnings.ts';
import type { EarningProgramme, Programmes } from '../earning/earning-programmes.ts';
import { chosenCard, type Occurrence } from '../earning/gains.ts';
import type { Posting } from '../ledger/new-entry.ts';
import { newCard } from '../loyalty/join.ts';
import type { Effect } from '../table/effects.ts';
import { voucherRefusal } from '../validity/usable.ts';
import { giftPosted, newGift } from '../vouchers/gift-credit.ts';

/** What a conversion gives the referee, and by which code they came. */
export interface Reward {
  given: NonNullable<ReferralProgram['referee_reward']>;
  code: string;
}

interface Rewarded {
  gains: readonly Gain[];
  effects: Effect[];
  /** A card is made for the customer by the reward. */
  makesCard: boolean;
}

const campaignTypes = { LOYALTY_CARD: 'LOYALTY_PROGRAM', GIFT_VOUCHER: 'GIFT_VOUCHERS' } as const;

/** The gains with the reward's points: on a card that gains already, on another of the customer's, or on a new one. */
async function withPoints(
  context: Writing,
  programme: EarningProgramme,
  gains: readonly Gain[],
  occurrence: Occurrence,
  posting: Posting,
): Promise<Rewarded> {
  const { isHolder, item } = chosenCard(occurrence, programme, context.now);
  const other = { earnings: [], rewards: [posting] };
  const known = gains.find(({ card, isNew }) =>
    isNew ? card.item.campaign_id === programme.campaign.id : card.item.id === item?.id,
  );
  if (known) {
    const rest = gains.filter((gain) => gain !== known);
    return { gains: [...rest, { ...known, rewards: [posting] }], effects: [], makesCard: false };
  }
  if (item)
    return { gains: [...gains, { ...other, card: { item, programme }, isNew: false }], effects: [], makesCard: false };
  if (isHolder) return { gains, effects: [], makesCard: false };
  const card = await newCard(context, programme, occurrence.customerId);
  return { gains: [...gains, { ...other, card, isNew: true }], effects: [], makesCard: true };
}

/**
 * Gives the referee the reward of the conversion: points on their card in the campaign that it names, or credits on their gift
 * voucher there. Who holds none gets one; who holds only such as can't be used gets nothing, and neither does anybody while
 * that campaign can't be used.
 */
export async function withReward(
  context: Writing,
  programmes: Programmes,
  gains: readonly Gain[],
  occurrence: Occurrence,
  { given: { type, amount, related_object_parent: parent }, code }: Reward,
  occasion: Occasion,
): Promise<Rewarded> {
  const { project, now } = context;
  const nothing = { gains, effects: [], makesCard: false };
  const programme = (await programmes.get([parent.id])).get(parent.id);
  if (programme?.campaign.campaign_type !== campaignTypes[type]) return nothing;
  const { campaign } = programme;
  if (voucherRefusal({ campaign_id: campaign.id }, campaign, now)) return nothing;
  const about = { event: occurrence.event, referral_code: code };
  if (type === 'LOYALTY_CARD') {
    return withPoints(context, programme, gains, occurrence, { type: 'POINTS_ACCRUAL', points: amount, about });
  }
  const { isHolder, item } = chosenCard(occurrence, programme, now);
  if (item) {
    const posting = { type: 'CREDITS_ADDITION', points: amount, about } as const;
    return { ...nothing, effects: giftPosted(project.id, { item, campaign }, occasion, posting).effects };
  }
  if (isHolder) return nothing;
  return { ...nothing, effects: await newGift(context, campaign, occurrence.customerId, amount), makesCard: true };
}
