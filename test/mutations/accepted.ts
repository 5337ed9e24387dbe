/** Names a condition that no test can miss, because another condition of the same transaction refuses the same cases. */
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
    file: 'rollback.ts',
    condition: '.whenThere()',
    reason: 'Only an existing redemption has this status.',
  },
];
