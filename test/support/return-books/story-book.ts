import { least, most, total } from './exact.ts';
import { type Account, EarnedPoints, type EarningRule } from './points.ts';
import type { ReturnBook, Returned } from './return-book.ts';

/** The books of a shop over months: gift cards, loyalty cards with lots that expire, pending points, and what customers have paid. */

/** Earns immediately. Its points are valid for two months. */
const clubRule: EarningRule = { measure: 'ORDER_TOTAL_AMOUNT', every: 100n, points: 1n };
/** Earns points that are pending for some days, and valid for ever. They also pay. */
const keepRule: EarningRule = { measure: 'ORDER_TOTAL_AMOUNT', every: 50n, points: 1n };
export const pendingDays = 14;
export const validMonths = 2;

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}

/** Adds months to a day. A month that has no such day ends with its last. */
function addMonths(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last))).toISOString().slice(0, 10);
}

/** The lots of a card by the day on which they expire. The empty text means never. */
type Lots = Map<string, bigint>;

const earnedBy = (rule: EarningRule, paid: bigint) =>
  rule.measure === 'FIXED' ? rule.points : (paid / rule.every) * rule.points;

class CardOfOrder implements Account {
  readonly code: string;
  readonly rules: readonly EarningRule[];
  earned: bigint;
  pending: bigint;
  readonly #lots: Lots;
  readonly #own: string;

  constructor(code: string, rule: EarningRule, earned: bigint, lots: Lots, own: string | undefined) {
    this.code = code;
    this.rules = [rule];
    this.earned = earned;
    this.pending = own === undefined ? earned : 0n;
    this.#lots = lots;
    this.#own = own ?? '';
  }

  get lots() {
    const all = this.#lots;
    return [...all.keys()].map((day) => ({
      expires: day || null,
      ofOrder: day === this.#own,
      get points() {
        return all.get(day) ?? 0n;
      },
      set points(points: bigint) {
        all.set(day, points);
      },
    }));
  }
}

export interface OrderOfStory {
  orderId: string;
  /** The books' customer. */
  customer: number;
  book: ReturnBook;
  ids: Map<string, string>;
  parents: string[];
  rollback: string | undefined;
  accounts: CardOfOrder[];
  /** The day on which its pending points become points. */
  ripens: string;
  paid: bigint;
  moneyBack: bigint;
  isOver: boolean;
}

export class StoryBook {
  readonly gifts = new Map<string, bigint>();
  readonly cards = new Map<string, Lots>();
  readonly orders: OrderOfStory[] = [];

  lotsOf(code: string): Lots {
    const known = this.cards.get(code) ?? new Map<string, bigint>();
    this.cards.set(code, known);
    return known;
  }

  balance(code: string): bigint {
    return this.gifts.get(code) ?? total([...this.lotsOf(code).values()]);
  }

  /** Adds to a gift card, or points without an end. A negative number is spent, first from the points that expire first. */
  add(code: string, amount: bigint, day = ''): void {
    const gift = this.gifts.get(code);
    if (gift !== undefined) {
      this.gifts.set(code, gift + amount);
      return;
    }
    const lots = this.lotsOf(code);
    if (amount >= 0n) {
      lots.set(day, (lots.get(day) ?? 0n) + amount);
      return;
    }
    let open = -amount;
    const inTurn = [...lots.keys()].sort((a, b) => ((a || '9999') < (b || '9999') ? -1 : 1));
    for (const one of inTurn) {
      const here = least(lots.get(one) ?? 0n, open);
      lots.set(one, (lots.get(one) ?? 0n) - here);
      open -= here;
    }
  }

  /** Credits what a paid order earns. */
  earn(customer: number, paid: bigint, today: string): CardOfOrder[] {
    const [club, keep] = [`CLUB-${customer}`, `KEEP-${customer}`];
    const until = addMonths(today, validMonths);
    const atOnce = earnedBy(clubRule, paid);
    if (atOnce > 0n) this.add(club, atOnce, until);
    return [
      new CardOfOrder(club, clubRule, atOnce, this.lotsOf(club), until),
      new CardOfOrder(keep, keepRule, earnedBy(keepRule, paid), this.lotsOf(keep), undefined),
    ];
  }

  /** Lets a day come: pending points ripen, and points whose day has passed expire. */
  begin(today: string): void {
    for (const { accounts, ripens } of this.orders)
      for (const account of ripens <= today ? accounts : []) {
        if (account.pending > 0n) this.add(account.code, account.pending);
        account.pending = 0n;
      }
    for (const lots of this.cards.values()) for (const day of lots.keys()) if (day && day < today) lots.delete(day);
  }

  giveBack({ credits, points }: Returned['refund']): void {
    for (const { code, amount } of credits) this.add(code, amount);
    for (const one of points) this.add(one.code, one.points);
  }

  /** Takes back what an order without lines no longer earns at a lower amount. From then on it has earned only the rest. */
  lower(order: OrderOfStory, amount: bigint): void {
    for (const account of order.accounts) {
      const taken = new EarnedPoints(account).follow({ amount, total: amount, isNothingKept: false });
      account.earned -= taken?.points ?? 0n;
    }
    order.paid = amount;
  }

  rollBack(order: OrderOfStory): void {
    for (const { code, charged } of order.book.unreturned()) this.add(code, charged);
    order.isOver = true;
  }

  /** Returns what the orders of a customer come to, and their number. */
  paidBy(customer: number) {
    const own = this.orders.filter((order) => order.customer === customer && !order.isOver);
    return {
      total_amount: Number(most(total(own.map(({ paid, moneyBack }) => paid - moneyBack)), 0n)),
      total_count: own.length,
    };
  }
}
