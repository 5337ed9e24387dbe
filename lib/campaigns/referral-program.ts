import * as v from 'valibot';
import { described } from '../core/documented.ts';
import { identifier, nullable, object, positiveInteger, reference, shortText } from '../core/schema.ts';

const rewardTypes = v.picklist(['LOYALTY_CARD', 'GIFT_VOUCHER']);

const amount = described(positiveInteger, 'Points of a loyalty card, or minor currency units of a gift voucher.');

const reward = v.looseObject({
  type: rewardTypes,
  amount,
  related_object_parent: described(
    v.looseObject({ id: v.string() }),
    'The campaign of the card or voucher that gets the reward.',
  ),
});

/** Defines the conversion of a referral programme, and the rewards of referee and referrer. */
export const referralProgram = v.looseObject({
  /** Without it, any event that names a code of the programme counts. */
  conversion_event_type: nullable(v.picklist(['redemption', 'custom_event'])),
  conversion_event: described(
    nullable(identifier),
    'Older clients send this: `redemption`, or the name of a custom event. It counts where `conversion_event_type` and `custom_event` are absent.',
  ),
  custom_event: nullable(v.looseObject({ name: nullable(v.string()) })),
  referee_reward: described(nullable(reward), 'The reward of the referee, the customer that the code brought.'),
  referrer_reward: described(
    nullable(reward),
    'The reward of the referrer, the customer that shares the code, once for each referee. It is given in the transaction of the conversion.',
  ),
});

const { conversion_event_type, conversion_event } = referralProgram.entries;

const sentReward = object({
  type: rewardTypes,
  amount,
  related_object_parent: object({ id: reference, name: nullable(reference), object: nullable(shortText) }),
});

/** Describes the same programme in a body. */
export const sentReferralProgram = object({
  conversion_event_type,
  conversion_event,
  custom_event: nullable(object({ id: nullable(reference), name: identifier })),
  referee_reward: nullable(sentReward),
  referrer_reward: nullable(sentReward),
});

export type ReferralProgram = v.InferOutput<typeof referralProgram>;

export type ReferralReward = v.InferOutput<typeof reward>;

/** Names the fields of the rewards that a conversion may give. */
export const rewardFields = ['referee_reward', 'referrer_reward'] as const;

const typeNames: readonly string[] = ['redemption', 'custom_event'];

/** Returns whether a redemption of a code of the programme is its conversion. */
export function isConvertedByRedemption(programme: ReferralProgram | undefined): boolean {
  return (programme?.conversion_event_type ?? programme?.conversion_event) === 'redemption';
}

function conversionEvent({ custom_event, conversion_event: older }: ReferralProgram): string | undefined {
  return custom_event?.name || (older && !typeNames.includes(older) ? older : undefined);
}

/** Returns whether the custom event is the one that the programme waits for. */
export function isConversion(programme: ReferralProgram | undefined, event: string): boolean {
  if (isConvertedByRedemption(programme)) return false;
  const name = programme && conversionEvent(programme);
  return name === undefined || name === event;
}

/** Returns the ids of the campaigns that give their cards and vouchers the rewards of a conversion. */
export function listRewardingCampaigns(programme: ReferralProgram | null | undefined): string[] {
  return rewardFields.flatMap((field) => programme?.[field]?.related_object_parent.id ?? []);
}
