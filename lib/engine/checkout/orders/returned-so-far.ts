/** Sums what the returns of an order have taken back, so that nothing is returned twice. */
export interface ReturnedSoFar {
  /** Counts the returns. */
  readonly count: number;
  /** The refunded money, without the amounts of deleted cards. */
  readonly money: number;
  /** The refunded money, with the amounts of deleted cards. */
  readonly paid_back: number;
  /** True if each return gave every payment the part of the returned units. */
  readonly is_even: boolean;
  /** The unit, or the net value of an order without lines, of the amount that no line has. */
  readonly rest: number;
  /** The amount and the points of each payment, by the id of its redemption. */
  readonly payments: Readonly<Record<string, { readonly amount: number; readonly points: number }>>;
  /** The discounts that kept lines have lost. */
  readonly lost: readonly { readonly line: string; readonly after: number; readonly amount: number }[];
  /** The amounts that are subtracted from counters of limits, by the text of their keys. */
  readonly counters: Readonly<Record<string, number>>;
}

export const nothingReturned: ReturnedSoFar = {
  count: 0,
  money: 0,
  paid_back: 0,
  is_even: true,
  rest: 0,
  payments: {},
  lost: [],
  counters: {},
};
