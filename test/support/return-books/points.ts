import { least, most, total } from './exact.ts';

/** A rule by which an order earned. `every` is the quantity for `points`. */
export type EarningRule =
  | { measure: 'FIXED'; points: bigint }
  | { measure: 'ORDER_AMOUNT' | 'ORDER_TOTAL_AMOUNT'; every: bigint; points: bigint };

interface Lot {
  points: bigint;
  /** `null` for never. */
  expires: string | null;
  ofOrder: boolean;
}

/** A card that an order has credited. */
export interface Account {
  code: string;
  rules: readonly EarningRule[];
  earned: bigint;
  /** The points of this order that are pending. */
  pending: bigint;
  lots: Lot[];
}

export interface Taken {
  code: string;
  points: bigint;
  pending: bigint;
  balance: bigint;
  missing: bigint;
}

export interface Rest {
  /** The order's amount less what was returned. */
  amount: bigint;
  /** The order's total less the money that went back. */
  total: bigint;
  isNothingKept: boolean;
}

function earnsNow(rule: EarningRule, rest: Rest): bigint {
  if (rule.measure === 'FIXED') return rest.isNothingKept ? 0n : rule.points;
  const value = rule.measure === 'ORDER_AMOUNT' ? rest.amount : rest.total;
  return (most(value, 0n) / rule.every) * rule.points;
}

/** Sorts the order's own lots first, then those that expire last. */
function inTurnOfTaking(lots: readonly Lot[]): Lot[] {
  const day = ({ expires }: Lot) => expires ?? '9999';
  const own = lots.filter(({ ofOrder }) => ofOrder);
  const others = lots.filter(({ ofOrder }) => !ofOrder);
  return [own, others].flatMap((some) => [...some].sort((a, b) => (day(a) < day(b) ? 1 : day(a) > day(b) ? -1 : 0)));
}

export class EarnedPoints {
  readonly #account: Account;
  #owed = 0n;

  constructor(account: Account) {
    this.#account = account;
  }

  /** Takes back what the order would not earn now. Points that the card does not have are missing, and are never taken again. */
  follow(rest: Rest): Taken | undefined {
    const account = this.#account;
    const now = total(account.rules.map((rule) => earnsNow(rule, rest)));
    const points = account.earned - now - this.#owed;
    if (points <= 0n) return undefined;
    this.#owed += points;
    const pending = least(account.pending, points);
    account.pending -= pending;
    let open = points - pending;
    for (const lot of inTurnOfTaking(account.lots)) {
      const here = least(lot.points, open);
      lot.points -= here;
      open -= here;
    }
    return { code: account.code, points, pending, balance: points - pending - open, missing: open };
  }
}
