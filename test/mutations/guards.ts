interface Guard {
  /** The replacement, which accepts everything. */
  readonly passes: boolean;
  /** The protection that is lost without the guard. */
  readonly keeps: string;
}

/** Lists booleans between a read and a write that are not a condition of the write. */
export const guards: Readonly<Record<string, Guard>> = {
  areWithinLocks: { passes: true, keeps: 'uses that other sessions have locked of a code with a limit' },
  isStillSo: { passes: true, keeps: 'limits of rules whose counters moved between the read and the hold' },
  isOfOneMoment: { passes: true, keeps: 'transfers that read half of another transaction' },
  isToBeSure: { passes: false, keeps: 'customers with a second card of one programme' },
  isRedeemed: { passes: true, keeps: 'a new voucher that gets back the uses of an earlier one with its code' },
};
