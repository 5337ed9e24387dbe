import * as v from 'valibot';
import { nullable, positiveInteger } from '../schema.ts';

/** What counts as a conversion of a referral programme, and what the referee gets for it. */
export const referralProgram = v.looseObject({
  /** Without it, any event that names a code of the programme counts. */
  conversion_event_type: nullable(v.picklist(['redemption', 'custom_event'])),
  custom_event: nullable(v.looseObject({ name: nullable(v.string()) })),
  referee_reward: nullable(
    v.looseObject({
      type: v.picklist(['LOYALTY_CARD', 'GIFT_VOUCHER']),
      /** Points, or minor currency units. */
      amount: positiveInteger,
      /** The campaign whose card gets it. */
      related_object_parent: v.looseObject({ id: v.string() }),
    }),
  ),
});

export type ReferralProgram = v.InferOutput<typeof referralProgram>;

/** Whether the custom event is what the programme waits for. */
export function isConversion(programme: ReferralProgram | undefined, event: string): boolean {
  if (programme?.conversion_event_type === 'redemption') return false;
  const name = programme?.custom_event?.name;
  return !name || name === event;
}
