import * as v from 'valibot';
import { dateTime, integer } from '../schema.ts';

/** As stored, beside the card. */
export const pendingPointsItem = v.object({
  id: v.string(),
  voucher_id: v.string(),
  points: integer,
  state: v.picklist(['PENDING', 'ACTIVATED', 'CANCELED']),
  /** Absent where a project file brought them: those wait for an operator. */
  created_at: v.optional(dateTime),
  /** When they become points of the card by themselves. */
  activates_at: v.optional(dateTime),
  earning_rule_id: v.optional(v.string()),
  event: v.optional(v.string()),
});

export type PendingPointsItem = v.InferOutput<typeof pendingPointsItem>;

/** Contract, "Pending points balance". `points`: the change; `total`: what is pending on the card after it. */
export const pendingPointsBalance = v.object({
  points: integer,
  total: integer,
  object: v.literal('balance'),
  operation_type: v.literal('MANUAL'),
  related_object: v.object({ type: v.literal('voucher'), id: v.string() }),
});

export type PendingPointsBalance = v.InferOutput<typeof pendingPointsBalance>;
