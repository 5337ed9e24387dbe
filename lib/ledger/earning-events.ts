import { hash } from 'node:crypto';

/** The event of a rule for orders. */
export const orderPaid = 'order.paid';

/** That of a rule for customers who enter a segment. */
export const segmentEntered = 'customer.segment.entered';

export const tierEvents = ['joined', 'left', 'upgraded', 'downgraded', 'prolonged'] as const;

/** What a rule can wait for that becomes of a member. */
export function tierEvent(kind: (typeof tierEvents)[number]): string {
  return `customer.loyalty.tier.${kind}`;
}

/** What rules wait for; no event of a project's own has the name of one of the others. */
export function kindOfEvent(event: string): 'order' | 'segment' | 'tier' | 'custom' {
  if (event === orderPaid) return 'order';
  if (event === segmentEntered) return 'segment';
  return tierEvents.some((kind) => tierEvent(kind) === event) ? 'tier' : 'custom';
}

/** What the schema of an event is called: it has no other name than the event. */
export function schemaIdOf(event: string): string {
  return `ms_${hash('sha256', event, 'base64url').slice(0, 22)}`;
}
