import { fitsReply } from '../../http/reply-size.ts';
import type { Rollback } from '../redemptions/present-redemption.ts';

/** Leaves out what the parent has as well, and what operators and shops noted. */
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
 * The rollbacks of one request, the parent first. Whatever was redeemed can be taken back: where a reply has no room for all of it,
 * lines and metadata stand once, with the parent.
 */
export function withinReply(rollbacks: readonly Rollback[]): Rollback[] {
  const [first, ...children] = rollbacks;
  if (!first) return [];
  // The reply has the order once more beside the rollbacks.
  return fitsReply([first.order, ...rollbacks]) ? [...rollbacks] : [first, ...children.map(briefly)];
}
