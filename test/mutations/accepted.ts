/**
 * Names a survivor: a condition or an operator that no test misses. Usually another condition of the same transaction refuses the same
 * cases. A reason that begins with `Open` names the test that is missing.
 */
export interface Accepted {
  /** The end of the file's path. */
  readonly file: string;
  /** The condition on one line. */
  readonly condition: string;
  readonly reason: string;
}

export const accepted: readonly Accepted[] = [
  {
    file: 'gift-credit.ts',
    condition: ".whenStill('revision', before.revision)",
    reason:
      'Each change of a gift card inserts an entry with the next number of its ledger. A taken number is refused.',
  },
  {
    file: 'card-effects.ts',
    condition: '.whenThere()',
    reason: 'An activity of the same transaction is counted on the same card, and requires that the card exists.',
  },
  {
    file: 'record-activities.ts',
    condition: '.whenThere()',
    reason:
      'A change of a card requires that the card exists. Open for customers: none is deleted between a read and an activity.',
  },
  {
    file: 'voucher-lists.ts',
    condition: ".whenBelow('redeemed_quantity', 1)",
    reason:
      'The first redemption of a free code also writes `was_redeemed`, which the next condition requires to be missing.',
  },
  {
    file: 'voucher-lists.ts',
    condition: ".whenStill('redeemed_quantity', item.redeemed_quantity)",
    reason: 'Open: no test rolls back a spent code without a campaign while the code is switched.',
  },
  {
    file: 'voucher-lists.ts',
    condition: ".whenStill('gift_balance', item.gift_balance ?? undefined)",
    reason: 'Open: no test credits a spent gift card without a campaign while the card is switched.',
  },
  ...[".whenStill('state', 'PENDING')", ".whenStill('points', points)"].map((condition) => ({
    file: 'pending-points.ts',
    condition,
    reason:
      'A request that changes or ends pending points raises the revision of their card, which the same transaction requires.',
  })),
  {
    file: 'rollback.ts',
    condition: 'ifThere: true',
    reason: 'Only an existing redemption has this status.',
  },
];
