import * as v from 'valibot';
import { identifier, nullable, object, positiveInteger, reference, shortText } from '../schema.ts';

const rewardTypes = v.picklist(['LOYALTY_CARD', 'GIFT_VOUCHER']);

/** What counts as a conversion of a referral programme, and what the referee gets for it. */
export const referralProgram = v.looseObject({
  /** Without it, any event that names a code of the programme counts. */
  conversion_event_type: nullable(v.picklist(['redemption', 'custom_event'])),
  custom_event: nullable(v.looseObject({ name: nullable(v.string()) })),
  referee_reward: nullable(
    v.looseObject({
      type: rewardTypes,
      /** Points, or minor currency units. */
      amount: positiveInteger,
      /** The campaign whose card gets it. */
      related_object_parent: v.looseObject({ id: v.string() }),
    }),
  ),
});

const { conversion_event_type } = referralProgram.entries;

/** The same as a body may bring it. */
export const sentReferralProgram = object({
  conversion_event_type,
  custom_event: nullable(object({ id: nullable(reference), name: identifier })),
  referee_reward: nullable(
    object({
      type: rewardTypes,
      amount: positiveInteger,
      related_object_parent: object({ id: reference, name: nullable(reference), object: nullable(shortText) }),
    }),
  ),
});

export type ReferralProgram = v.InferOutput<typeof referralProgram>;

/** Whether who redeems a code of the programme has come by it. */
export function isConvertedByRedemption(programme: ReferralProgram | undefined): boolean {
  return programme?.conversion_event_type === 'redemption';
}

/** Whether the custom event is what the programme waits for. */
export function isConversion(programme: ReferralProgram | undefined, event: string): boolean {
  if (isConvertedByRedemption(programme)) return false;
  const name = programme?.custom_event?.name;
  return !name || name === event;
}
