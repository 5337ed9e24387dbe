import * as v from 'valibot';
import { activityTypes } from './activities/activity.ts';
import { classifyEvent, readSchemaId } from './earning-events.ts';

/** The rule that earned points, as ledgers and pending points show it. */
export const earnedBy = v.object({
  id: v.string(),
  source: v.object({ banner: v.nullable(v.string()) }),
});

const called = v.optional(v.object({ id: v.string(), name: v.string() }));

/** The names that belong to the earning, stored as of that time. */
export const earnedWith = {
  /** The segment that the customer entered. */
  segment: called,
  /** The tier that the member joined, kept or left. */
  loyalty_tier: called,
  /** The member's tier when the points were earned. */
  holder_loyalty_tier: called,
};

export type EarnedWith = v.InferOutput<v.ObjectSchema<typeof earnedWith, undefined>>;

/** Returns the present fields. */
export function showEarnedWith({ segment, loyalty_tier, holder_loyalty_tier }: EarnedWith): EarnedWith {
  return {
    ...(segment ? { segment } : {}),
    ...(loyalty_tier ? { loyalty_tier } : {}),
    ...(holder_loyalty_tier ? { holder_loyalty_tier } : {}),
  };
}

interface Kept {
  readonly earning_rule_id?: string | undefined;
  readonly banner?: string | undefined;
}

/** Shows `earning_rule` for points of a rule. */
export function showEarningRule({ earning_rule_id: id, banner }: Kept) {
  return id === undefined ? {} : { earning_rule: { id, source: { banner: banner ?? null } } };
}

/** The event that earned points: the `group_id` of its activities, and its name in them. */
const happened = v.object({ id: v.nullable(v.string()), type: v.string() });

export const earningEvent = {
  event: v.optional(happened),
  custom_event: v.optional(happened),
  event_schema: v.optional(v.object({ id: v.string(), name: v.string() })),
};

/** Shows `event` for earned points. A custom event has its name in `custom_event`. */
export function showEarningEvent(event: string | undefined, groupId: string | undefined) {
  if (event === undefined) return {};
  const id = groupId ?? null;
  const kind = classifyEvent(event);
  if (kind !== 'custom') return { event: { id, type: kind === 'order' ? activityTypes.orderPaid : event } };
  return {
    event: { id, type: activityTypes.customEvent },
    custom_event: { id, type: event },
    event_schema: { id: readSchemaId(event), name: event },
  };
}
