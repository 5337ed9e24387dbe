import type { Considered, Outcome } from '../engine/checkout.ts';
import type { FoundRedeemable } from '../request/build-redeemable.ts';

/** A used redeemable, with the id of its redemption. */
export interface Use {
  readonly id: string;
  readonly one: FoundRedeemable;
  readonly outcome: Extract<Outcome, { status: 'APPLICABLE' }>;
}

/** Returns the applied redeemables in their order. */
export function listUses(considered: readonly Considered<FoundRedeemable>[], newId: () => string): Use[] {
  return considered.flatMap(({ redeemable: one, outcome }) =>
    outcome.status === 'APPLICABLE' ? [{ id: newId(), one, outcome }] : [],
  );
}
