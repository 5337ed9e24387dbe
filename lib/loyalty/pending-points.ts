import * as v from 'valibot';
import { named } from '../documented.ts';
import { integer } from '../schema.ts';

/** `points`: the change; `total`: what is pending on the card after it. */
export const pendingPointsBalance = named(
  'PendingPointsBalance',
  v.object({
    points: integer,
    total: integer,
    object: v.literal('balance'),
    operation_type: v.literal('MANUAL'),
    related_object: v.object({ type: v.literal('voucher'), id: v.string() }),
  }),
);

export type PendingPointsBalance = v.InferOutput<typeof pendingPointsBalance>;
