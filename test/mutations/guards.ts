interface Guard {
  /** Lets everything pass. */
  readonly passes: boolean;
  /** Says what is lost without it. */
  readonly keeps: string;
}

/** Lists booleans that stand between a read and a write, and are no condition of the write. */
export const guards: Readonly<Record<string, Guard>> = {
  areWithinLocks: { passes: true, keeps: 'what sessions of others have locked of a code with a limit' },
  isStillSo: { passes: true, keeps: 'limits of rules, whose counters moved between reading and holding' },
  isOfOneMoment: { passes: true, keeps: 'transfers from being judged by half of another transaction' },
  isToBeSure: { passes: false, keeps: 'a customer from getting a second card of one programme' },
  isRedeemed: { passes: true, keeps: 'a new voucher from getting back what one of its code had spent' },
};
