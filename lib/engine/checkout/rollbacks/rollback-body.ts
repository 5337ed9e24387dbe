import * as v from 'valibot';
import { createCustomerBody } from '#engine/customers/customer-body.ts';
import { described } from '#kernel/core/documented.ts';
import type { ErrorKey } from '#kernel/core/errors.ts';
import { refusing } from '#kernel/core/refusing.ts';
import { identifier, longText, nullable, object, sentMetadata } from '#kernel/core/schema.ts';
import { canFitReply } from '#kernel/http/reply-size.ts';
import { redeemedOrder } from '../orders/redeemed-order.ts';
import { type Rollback, rollback } from '../redemptions/present-redemption.ts';

/** A caller who sends one of these fields means a part. If it were ignored, the whole redemption would be taken back. */
const partly = ['amount', 'quantity', 'items', 'points'];
const whole =
  'must be left out, because a rollback takes back the whole redemption. A return of the order takes back a part';

const words = {
  reason: described(nullable(longText), 'The reason for the rollback, in words of the shop.'),
  tracking_id: nullable(identifier),
};

export const rollbackQuery = refusing(
  partly,
  whole,
  object({
    reason: v.optional(longText),
    tracking_id: v.optional(identifier),
  }),
);

const sent = refusing(
  partly,
  whole,
  object({
    ...words,
    customer: described(
      nullable(createCustomerBody),
      'The customer of the redemption. The other sent fields change this customer.',
    ),
    order: described(
      nullable(object({ id: nullable(identifier), source_id: nullable(identifier) })),
      'The order of the redemption.',
    ),
    metadata: described(nullable(sentMetadata), 'The metadata is merged into the metadata of the redemption.'),
  }),
);

/** The body is optional. */
export const rollbackBody = v.optional(sent);

/** The query, body and errors that the rollbacks of one redemption and of several share. */
export const rollingBack = {
  query: rollbackQuery,
  body: rollbackBody,
  errors: [
    'not_found',
    'already_rolled_back',
    'invalid_redemption',
    'invalid_redemption_parent',
    'invalid_order',
    'invalid_customer',
  ] satisfies ErrorKey[],
};

export interface AskedRollback extends v.InferOutput<typeof sent> {
  readonly id: string;
}

/** Merges body and query. The body wins. */
export function readAskedRollback(
  id: string,
  body: v.InferOutput<typeof rollbackBody>,
  query: v.InferOutput<typeof rollbackQuery>,
): AskedRollback {
  const { reason = query.reason, tracking_id = query.tracking_id, ...rest } = body ?? {};
  return { ...rest, id, reason: reason ?? query.reason, tracking_id: tracking_id ?? query.tracking_id };
}

export const stackedRollback = v.object({
  rollbacks: v.array(rollback),
  /** The rollbacks of several redemptions. */
  parent_rollback: v.optional(rollback),
  /** The current order, or `null`. */
  order: v.nullable(redeemedOrder),
});

/** Removes fields that the parent also has, and notes of operators and shops. */
function briefly({ order, customer, voucher, promotion_tier: tier, ...one }: Rollback): Rollback {
  return {
    ...one,
    metadata: null,
    order: order && { ...order, items: [], metadata: {} },
    customer: customer && { ...customer, metadata: undefined },
    ...(voucher ? { voucher: 'metadata' in voucher ? { ...voucher, metadata: {} } : voucher } : {}),
    ...(tier === undefined ? {} : { promotion_tier: tier && { ...tier, metadata: {} } }),
  };
}

/**
 * Shows the rollbacks of one request, the parent first. Every redemption can be rolled back, so a reply without room for all shows lines
 * and metadata only with the parent.
 */
export function fitReply(rollbacks: readonly Rollback[]): Rollback[] {
  const [first, ...children] = rollbacks;
  if (!first) return [];
  // The reply has the order once more besides the rollbacks.
  return canFitReply([first.order, ...rollbacks]) ? [...rollbacks] : [first, ...children.map(briefly)];
}
