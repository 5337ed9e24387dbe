import { canFitReply } from '../../http/reply-size.ts';
import type { Rollback } from '../redemptions/present-redemption.ts';

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
