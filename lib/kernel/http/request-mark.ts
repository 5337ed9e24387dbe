import { kinds } from '#kernel/table/kind-names.ts';

/**
 * Names the attribute of an item that records which request changed it last, and when. Events for webhooks show both
 * (docs/webhooks.md#delivery). A write without a request keeps the attribute.
 */
export const requestMark = 'last_request';

/** The kinds of items whose changes are events, besides those that store the group of their request as a field. */
export const markedKinds: ReadonlySet<string> = new Set([
  'VALIDATION_RULES',
  'PROMOTION_STACK',
  kinds.validationRulesAssignment,
  kinds.campaign,
  kinds.job,
  kinds.promotionTier,
  kinds.loyaltyTier,
  kinds.earningRule,
  kinds.rewardAssignment,
  kinds.customer,
  kinds.publication,
  kinds.redemption,
  kinds.voucher,
  kinds.pendingPoints,
]);

/** The marked kinds whose items are removed outright. Others are buried first, and their tombstone has the mark. */
export const removedKinds: ReadonlySet<string> = new Set([
  'VALIDATION_RULES',
  'PROMOTION_STACK',
  kinds.validationRulesAssignment,
  kinds.promotionTier,
  kinds.loyaltyTier,
  kinds.earningRule,
  kinds.rewardAssignment,
]);

export interface MarkedRequest {
  readonly id: string;
  /** The time of the request. Empty for rows of a job, which are written later. */
  readonly at: string;
}

export function writeMark({ id, at }: MarkedRequest): string {
  return `${at} ${id}`;
}

/** Reads a mark. Returns `undefined` if it is missing. */
export function readMark(mark: string | undefined): MarkedRequest | undefined {
  if (mark === undefined) return undefined;
  const [at = '', ...id] = mark.split(' ');
  return { id: id.join(' '), at };
}
