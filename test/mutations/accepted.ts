/** Names a condition that no test can miss, because something else of the same transaction refuses whatever it would. */
export interface Accepted {
  /** Ends its path. */
  readonly file: string;
  /** Gives the condition as it stands, on one line. */
  readonly condition: string;
  readonly reason: string;
}

export const accepted: readonly Accepted[] = [
  {
    file: 'gift-credit.ts',
    condition: ".whenStill('revision', before.revision)",
    reason:
      'Each change of a gift card inserts an entry with the next number of its ledger, which is refused where it is taken.',
  },
  {
    file: 'rollback.ts',
    condition: '.whenThere()',
    reason: 'The status is one that only a redemption has which is there.',
  },
];
