import { at, least, portion, total } from './exact.ts';
import type { Payment } from './sale.ts';

export type Way = 'PROPORTIONAL' | 'MONEY_FIRST' | 'CREDITS_FIRST';

/** The payments of one order, in the order of redemption, then its money: how much of each has come back. */
export class Purses {
  readonly #payments: readonly Payment[];
  readonly #paid: readonly bigint[];
  readonly #back: bigint[];
  readonly #pointsBack: bigint[];
  /** While all that came back went the way of the lines, a unit's own payments say what it gives back. */
  #followsLines = true;

  constructor(payments: readonly Payment[], net: bigint) {
    this.#payments = payments;
    const worth = payments.map((payment) => payment.worth);
    this.#paid = [...worth, net - total(worth)];
    this.#back = this.#paid.map(() => 0n);
    this.#pointsBack = payments.map(() => 0n);
  }

  get left(): bigint[] {
    return this.#paid.map((sum, place) => sum - at(this.#back, place));
  }

  /** Splits by what each payment has left, one after the other, and the money last. */
  #byWhatIsLeft(sum: bigint): bigint[] {
    let open = sum;
    let whole = total(this.left);
    return this.left.map((left) => {
      const here = portion(left, open, whole);
      open -= here;
      whole -= left;
      return here;
    });
  }

  #exhausting(sum: bigint, way: Way): bigint[] {
    const kinds = way === 'MONEY_FIRST' ? ['money', 'points', 'credits'] : ['credits', 'points', 'money'];
    const given = this.#paid.map(() => 0n);
    let open = sum;
    for (const kind of kinds)
      for (const [place, left] of this.left.entries()) {
        if ((this.#payments[place]?.kind ?? 'money') !== kind) continue;
        given[place] = least(left, open);
        open -= at(given, place);
      }
    return given;
  }

  #choose(sum: bigint, ofLines: readonly bigint[], way: Way): readonly bigint[] {
    if (way !== 'PROPORTIONAL') return this.#exhausting(sum, way);
    return this.#followsLines && sum === total(ofLines) ? ofLines : this.#byWhatIsLeft(sum);
  }

  /** Returns how a sum is given back. `ofLines` says how the returned units were paid. */
  give(sum: bigint, ofLines: readonly bigint[], way: Way): readonly bigint[] {
    const given = this.#choose(sum, ofLines, way);
    this.#followsLines &&= given.every((one, place) => one === at(ofLines, place));
    for (const [place, one] of given.entries()) this.#back[place] = at(this.#back, place) + one;
    return given;
  }

  pointsLeft(place: number): bigint {
    return at(this.#payments, place).charged - at(this.#pointsBack, place);
  }

  /** Returns the points that this payment gives back now, after `give`. */
  points(place: number): bigint {
    const { charged, worth } = at(this.#payments, place);
    const sofar = portion(charged, at(this.#back, place), worth);
    const now = sofar - at(this.#pointsBack, place);
    this.#pointsBack[place] = sofar;
    return now;
  }
}
