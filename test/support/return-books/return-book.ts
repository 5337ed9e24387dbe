import { at, least, most, spread, total } from './exact.ts';
import { type Account, EarnedPoints, type Taken } from './points.ts';
import { Purses, type Way } from './purses.ts';
import { paymentsOf, type Sale, type ValuedLine, valueLines } from './sale.ts';
import { difference, type Figures, firstNet, firstUnits } from './units.ts';

/**
 * The second calculation of returns, from their description alone: the books of one order. They share no code with the service.
 */

export interface Asked {
  /** Units by the id of their line. */
  items?: readonly { id: string; quantity: bigint }[];
  /** Minor units of net value of an order without lines. */
  amount?: bigint;
  refund_to?: Way;
  kept_lines?: 'KEEP' | 'REPRICE';
  earned_points?: 'TAKE_BACK' | 'KEEP';
  uses?: 'RETURN' | 'KEEP';
}

export interface Returned {
  items: readonly ({ id: string } & Figures)[];
  refund: {
    total: bigint;
    money: bigint;
    credits: readonly { code: string; redemption: string; amount: bigint; isDeleted: boolean }[];
    points: readonly { code: string; redemption: string; points: bigint; worth: bigint; isDeleted: boolean }[];
  };
  reclaimed: bigint;
  earned: readonly Taken[];
  isNothingKept: boolean;
  rolledBack: readonly string[];
}

type Answer = { refused: 'invalid_payload' | 'return_exceeds_order' | 'order_canceled' } | { returned: Returned };

/** Facts about an order that its figures do not show. */
interface Circumstances {
  accounts?: readonly Account[];
  /** The codes of cards that were deleted since. */
  deleted?: ReadonlySet<string>;
  /** Returns the discount of the kept units of each line, for `REPRICE`. */
  price?: (kept: readonly bigint[]) => bigint;
  /** Gives back to the cards, before earned points are taken from them. */
  giveBack?: (refund: Returned['refund']) => void;
}

export class ReturnBook {
  readonly lines: readonly ValuedLine[];
  readonly #sale: Sale;
  readonly #purses: Purses;
  readonly #earned: readonly EarnedPoints[];
  readonly #about: Circumstances;
  /** The units of each line that came back, or the minor units of an order without lines. */
  readonly #back: bigint[];
  /** The reclaimed sums that the kept units of each line cost more. */
  readonly #dearer: bigint[];
  #moneyBack = 0n;
  #amountBack = 0n;
  #isCanceled = false;

  constructor(sale: Sale, about: Circumstances = {}) {
    this.#sale = sale;
    this.#about = about;
    this.lines = valueLines(sale);
    this.#purses = new Purses(paymentsOf(sale), this.net);
    this.#earned = (about.accounts ?? []).map((account) => new EarnedPoints(account));
    this.#back = this.lines.map(() => 0n);
    this.#dearer = this.lines.map(() => 0n);
  }

  get net(): bigint {
    return total(this.lines.map(({ net }) => net));
  }

  get hasLines(): boolean {
    return this.#sale.lines.length > 0;
  }

  /** Returns what is left of each line, or of the order's net value. */
  left(): bigint[] {
    return this.lines.map((line, place) => this.#whole(line) - at(this.#back, place));
  }

  /** Returns what a rollback gives back to each card: what is left of its payment. */
  unreturned() {
    const { left } = this.#purses;
    return paymentsOf(this.#sale).map(({ kind, code }, place) => ({
      code,
      charged: kind === 'points' ? this.#purses.pointsLeft(place) : at(left, place),
    }));
  }

  #whole({ quantity, net }: ValuedLine): bigint {
    return this.hasLines ? quantity : net;
  }

  #first(line: ValuedLine, count: bigint): Figures {
    return this.hasLines ? firstUnits(line, count) : firstNet(line, count);
  }

  /** Returns how much of each line is asked for, or why that is refused. */
  #read({ items, amount }: Asked): bigint[] | Answer {
    if ((items === undefined) === (amount === undefined)) return { refused: 'invalid_payload' };
    if ((amount !== undefined) === this.hasLines) return { refused: 'invalid_payload' };
    const asked = this.lines.map(() => 0n);
    if (amount !== undefined) asked[0] = amount;
    for (const { id, quantity } of items ?? []) {
      const place = this.lines.findIndex((line) => line.id === id);
      if (place < 0 || quantity <= 0n) return { refused: 'invalid_payload' };
      asked[place] = at(asked, place) + quantity;
    }
    if (asked.every((count) => count <= 0n)) return { refused: 'invalid_payload' };
    if (this.#isCanceled) return { refused: 'order_canceled' };
    const isMore = asked.some((count, place) => count > at(this.left(), place));
    return isMore ? { refused: 'return_exceeds_order' } : asked;
  }

  take(wanted: Asked): Answer {
    const asked = this.#read(wanted);
    if ('refused' in asked || 'returned' in asked) return asked;
    const items = this.lines.map((line, place) => this.#takeFrom(line, place, at(asked, place)));
    const sum = total(items.map(({ net }) => net));
    const reclaimed = wanted.kept_lines === 'REPRICE' ? this.#reclaim(sum) : 0n;
    const isNothingKept = this.left().every((count) => count === 0n);
    const refund = this.#refund(items, sum - reclaimed, wanted.refund_to ?? 'PROPORTIONAL');
    this.#about.giveBack?.(refund);
    this.#moneyBack += refund.money;
    this.#amountBack += total(items.map(({ amount }) => amount));
    this.#isCanceled = isNothingKept;
    const isRolledBack = isNothingKept && wanted.uses !== 'KEEP';
    return {
      returned: {
        items: this.hasLines ? items.filter((_, place) => at(asked, place) > 0n) : [],
        ...{ refund, reclaimed, isNothingKept },
        earned: wanted.earned_points === 'KEEP' ? [] : this.#follow(isNothingKept),
        rolledBack: isRolledBack ? this.#sale.redeemed.map(({ redemption }) => redemption) : [],
      },
    };
  }

  #takeFrom(line: ValuedLine, place: number, count: bigint) {
    const before = at(this.#back, place);
    const left = this.#whole(line) - before;
    const own = difference(this.#first(line, before + count), this.#first(line, before));
    const dearer = left === 0n ? 0n : (at(this.#dearer, place) * count) / left;
    this.#dearer[place] = at(this.#dearer, place) - dearer;
    this.#back[place] = before + count;
    return { id: line.id, ...own, net: own.net + dearer };
  }

  /** Returns what the kept units lose in discount, and adds it to their value. */
  #reclaim(sum: bigint): bigint {
    if (!this.#about.price) throw new Error('the books cannot price what is kept');
    const now = this.lines.map((line, place) => {
      const kept = difference(this.#first(line, this.#whole(line)), this.#first(line, at(this.#back, place)));
      return kept.discount + kept.share - at(this.#dearer, place);
    });
    const lost = least(most(total(now) - this.#about.price(this.left()), 0n), sum);
    for (const [place, one] of spread(lost, now).entries()) this.#dearer[place] = at(this.#dearer, place) + one;
    return lost;
  }

  #refund(items: readonly Figures[], sum: bigint, way: Way): Returned['refund'] {
    const payments = paymentsOf(this.#sale);
    const ofPayments = payments.map((_, place) => total(items.map(({ paid }) => at(paid, place))));
    const money = total(items.map(({ net, paid }) => net - total(paid)));
    const given = this.#purses.give(sum, [...ofPayments, money], way);
    const entries = payments.map(({ kind, code, redemption }, place) => {
      const isDeleted = this.#about.deleted?.has(code) ?? false;
      const points = kind === 'points' ? this.#purses.points(place) : 0n;
      const worth = at(given, place);
      return { kind, code, redemption, isDeleted, worth: isDeleted ? 0n : worth, points: isDeleted ? 0n : points };
    });
    return {
      total: sum,
      money: sum - total(entries.map(({ worth }) => worth)),
      credits: entries.flatMap(({ kind, worth, points: _, ...entry }) =>
        kind === 'credits' ? [{ ...entry, amount: worth }] : [],
      ),
      points: entries.flatMap(({ kind, ...entry }) => (kind === 'points' ? [entry] : [])),
    };
  }

  #follow(isNothingKept: boolean): Taken[] {
    const amount = total(this.lines.map((line) => line.amount)) - this.#amountBack;
    const paid = paymentsOf(this.#sale).map(({ worth }) => worth);
    const rest = { amount, total: this.net - total(paid) - this.#moneyBack, isNothingKept };
    return this.#earned.flatMap((card) => card.follow(rest) ?? []);
  }
}
