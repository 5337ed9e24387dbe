import * as v from 'valibot';
import { activityTypes } from './activities/activity.ts';
import { kindOfEvent, schemaIdOf } from './earning-events.ts';

/** The rule that points were earned by, as ledgers and pending points show it. */
export const earnedBy = v.object({
  id: v.string(),
  source: v.object({ banner: v.nullable(v.string()) }),
});

const called = v.optional(v.object({ id: v.string(), name: v.string() }));

/** What belongs to the earning, as it was called then: kept, and shown as it is. */
export const earnedWith = {
  /** The segment that the customer entered. */
  segment: called,
  /** The tier that the member came into, stayed in, or left. */
  loyalty_tier: called,
  /** In which tier the member was who earned them. */
  holder_loyalty_tier: called,
};

export type EarnedWith = v.InferOutput<v.ObjectSchema<typeof earnedWith, undefined>>;

/** Those of them that there are. */
export function shownWith({ segment, loyalty_tier, holder_loyalty_tier }: EarnedWith): EarnedWith {
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

/** `earning_rule` of those that a rule gave. */
export function shownRule({ earning_rule_id: id, banner }: Kept) {
  return id === undefined ? {} : { earning_rule: { id, source: { banner: banner ?? null } } };
}

/** What points were earned by: the `group_id` of the activities that it brought about, and in which words they tell it. */
const happened = v.object({ id: v.nullable(v.string()), type: v.string() });

export const earningEvent = {
  event: v.optional(happened),
  custom_event: v.optional(happened),
  event_schema: v.optional(v.object({ id: v.string(), name: v.string() })),
};

/** `event` of those that were earned, in the words of activities; a project's own has its name in `custom_event`. */
export function shownEvent(event: string | undefined, groupId: string | undefined) {
  if (event === undefined) return {};
  const id = groupId ?? null;
  const kind = kindOfEvent(event);
  if (kind !== 'custom') return { event: { id, type: kind === 'order' ? activityTypes.orderPaid : event } };
  return {
    event: { id, type: activityTypes.customEvent },
    custom_event: { id, type: event },
    event_schema: { id: schemaIdOf(event), name: event },
  };
}
