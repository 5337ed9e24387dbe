import { sum } from '../../../../support/order-figures.ts';
import { type Code, codes, had, mugs, spare, type Used } from './stories.ts';

/** Calculates the expected state. */
export class Oracle {
  /** Amounts with additions and deductions. */
  readonly had = { ...had };
  spare = spare;
  readonly over = new Set<string>();
  readonly redeemed: { id: string; used: Used; stands: boolean }[] = [];
  #locks: { code: string; session: string; amount: number; until: number }[] = [];

  usesOf(code: Code) {
    return this.redeemed.flatMap(({ used, stands }) => (stands ? (used[code] ?? []) : []));
  }

  left(code: Code) {
    return this.had[code] - sum(this.usesOf(code));
  }

  mugs() {
    return this.redeemed.filter(({ used, stands }) => stands && used.isMug).length;
  }

  hasLock(code: string, session: string, now: number) {
    return this.#locks.some((one) => one.code === code && one.session === session && one.until > now);
  }

  unlock(code: string, session: string) {
    this.#locks = this.#locks.filter((one) => one.code !== code || one.session !== session);
  }

  lock(used: Used, session: string, until: number) {
    for (const code of codes) {
      const amount = used[code];
      if (amount === undefined) continue;
      this.unlock(code, session);
      this.#locks.push({ code, session, amount, until });
    }
  }

  allows(used: Used, session: string | undefined, now: number) {
    const isEnough = codes.every((code) => {
      const others = this.#locks.filter((one) => one.code === code && one.session !== session && one.until > now);
      const locked = sum(others.map(({ amount }) => amount));
      return (used[code] ?? 0) === 0 || (used[code] ?? 0) <= this.left(code) - locked;
    });
    const isOver = codes.some((code) => used[code] !== undefined && this.over.has(code));
    return !isOver && isEnough && !(used.isMug && this.mugs() >= mugs);
  }
}
