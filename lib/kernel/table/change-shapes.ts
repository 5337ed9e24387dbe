import * as v from 'valibot';
import { kinds } from './kind-names.ts';

/**
 * Describes what consumers of changes read of each kind, for all of them in one place. Full schemas would load every room into the workers of
 * the stream. Attributes that a kind does not describe here stay as the table has them.
 */

const text = v.nullish(v.string());
const number = v.nullish(v.number());
const flag = v.nullish(v.boolean());

/** The attributes that items of any kind may have. */
const common = {
  project: text,
  active: flag,
  created_at: text,
  updated_at: text,
  date: text,
  campaign_id: text,
  related_object_parent_id: text,
  listed: v.nullish(v.looseObject({ activities: v.nullish(v.array(v.looseObject({ type: text }))) })),
};

const shape = <E extends v.ObjectEntries>(entries: E) => v.looseObject({ ...common, ...entries });

/** Describes kinds of which consumers read no other attributes. */
export const plainShape = shape({});

const figures = v.nullish(v.record(v.string(), v.number()));

export const changeShapes = {
  [kinds.activity]: shape({ figures }),
  [kinds.campaign]: plainShape,
  [kinds.category]: plainShape,
  [kinds.customer]: plainShape,
  [kinds.earningRule]: plainShape,
  [kinds.heldCard]: plainShape,
  [kinds.job]: shape({ kind: text, state: text, is_creation: flag }),
  [kinds.ledger]: shape({ type: text, points: number }),
  [kinds.location]: plainShape,
  [kinds.loyaltyTier]: plainShape,
  [kinds.order]: plainShape,
  [kinds.orderReturn]: plainShape,
  [kinds.pendingPoints]: shape({ state: text, points: number }),
  [kinds.project]: plainShape,
  [kinds.promotionTier]: plainShape,
  [kinds.publication]: shape({ result: text }),
  [kinds.redemption]: shape({ figures, object: text, result: text, status: text, related_object_type: text }),
  [kinds.rewardAssignment]: plainShape,
  [kinds.segment]: plainShape,
  [kinds.segmentMember]: plainShape,
  [kinds.segmentPart]: plainShape,
  [kinds.validationRules]: plainShape,
  [kinds.validationRulesAssignment]: plainShape,
  [kinds.voucher]: shape({
    holder_id: text,
    made_for_holder: flag,
    opening_balance: number,
    gift: v.nullish(v.looseObject({ amount: number })),
  }),
  [kinds.webhookDelivery]: shape({ status: text, is_replayed: flag, webhook_id: text }),
  PROMOTION_STACK: plainShape,
};

type Shapes = typeof changeShapes;

/** The kinds whose changes consumers read. */
export type ChangedKind = keyof Shapes;

/** An item of the kind, as consumers see it. */
export type ChangedItem<K extends string = string> = v.InferOutput<
  K extends ChangedKind ? Shapes[K] : typeof plainShape
>;
