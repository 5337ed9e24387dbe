import { hash } from 'node:crypto';

/** The event of rules for orders. */
export const orderPaid = 'order.paid';

/** The event of rules for customers that enter a segment. */
export const segmentEntered = 'customer.segment.entered';

export const tierEvents = ['joined', 'left', 'upgraded', 'downgraded', 'prolonged'] as const;

/** Returns the event of a member's tier that a rule can wait for. */
export function tierEvent(kind: (typeof tierEvents)[number]): string {
  return `customer.loyalty.tier.${kind}`;
}

/** Returns the kind of an event. A custom event cannot have the name of another kind's event. */
export function classifyEvent(event: string): 'order' | 'segment' | 'tier' | 'custom' {
  if (event === orderPaid) return 'order';
  if (event === segmentEntered) return 'segment';
  return tierEvents.some((kind) => tierEvent(kind) === event) ? 'tier' : 'custom';
}

/** Returns the id of an event's schema, which has no other name than the event. */
export function readSchemaId(event: string): string {
  return `ms_${hash('sha256', event, 'base64url').slice(0, 22)}`;
}
