import * as v from 'valibot';
import { described } from '../core/documented.ts';
import { identifier, nullable, object, positiveInteger, reference, shortText } from '../core/schema.ts';

const rewardTypes = v.picklist(['LOYALTY_CARD', 'GIFT_VOUCHER']);

const amount = described(positiveInteger, 'Points of a loyalty card, or minor currency units of a gift voucher.');

const reward = v.looseObject({
  type: rewardTypes,
  amount,
  related_object_parent: described(v.looseObject({ id: v.string() }), 'The campaign whose card or voucher gets it.'),
});

/** Says what counts as a conversion of a referral programme, and what referee and referrer get for it. */
export const referralProgram = v.looseObject({
  /** Without it, any event that names a code of the programme counts. */
  conversion_event_type: nullable(v.picklist(['redemption', 'custom_event'])),
  conversion_event: described(
    nullable(identifier),
    'Older clients send this: `redemption`, or the name of a custom event. It counts where `conversion_event_type` and `custom_event` are absent.',
  ),
  custom_event: nullable(v.looseObject({ name: nullable(v.string()) })),
  referee_reward: described(nullable(reward), 'The reward of the customer who came by the code.'),
  referrer_reward: described(
    nullable(reward),
    'The reward of the customer who shares the code, once for each referee. It is given in the transaction of the conversion.',
  ),
});

const { conversion_event_type, conversion_event } = referralProgram.entries;

const sentReward = object({
  type: rewardTypes,
  amount,
  related_object_parent: object({ id: reference, name: nullable(reference), object: nullable(shortText) }),
});

/** The same as a body may bring it. */
export const sentReferralProgram = object({
  conversion_event_type,
  conversion_event,
  custom_event: nullable(object({ id: nullable(reference), name: identifier })),
  referee_reward: nullable(sentReward),
  referrer_reward: nullable(sentReward),
});

export type ReferralProgram = v.InferOutput<typeof referralProgram>;

export type ReferralReward = v.InferOutput<typeof reward>;

/** The people whom a conversion may reward, by the field of the programme. */
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

/** Returns the ids of the campaigns whose cards and vouchers the rewards of a conversion go to. */
export function rewardingCampaigns(programme: ReferralProgram | null | undefined): string[] {
  return rewardFields.flatMap((field) => programme?.[field]?.related_object_parent.id ?? []);
}
