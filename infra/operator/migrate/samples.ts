import { hash } from 'node:crypto';
import { type Cells, cellsIn } from './csv-rows.ts';

/** Chooses samples. The same project gives the same samples, wherever its entries are. */

interface Kept {
  readonly name: string;
  readonly digest: string;
}

class Sample {
  readonly #most: number;
  #kept: Kept[] = [];
  #names: ReadonlySet<string> = new Set();

  constructor(most: number) {
    this.#most = most;
  }

  see(name: string): void {
    if (this.#names.has(name)) return;
    const digest = hash('sha256', name, 'hex');
    const last = this.#kept.at(-1);
    if (this.#kept.length >= this.#most && last && digest >= last.digest) return;
    this.#kept.push({ name, digest });
    this.#kept.sort((one, other) => (one.digest < other.digest ? -1 : 1));
    this.#kept = this.#kept.slice(0, this.#most);
    this.#names = new Set(this.names);
  }

  get names(): string[] {
    return this.#kept.map(({ name }) => name);
  }
}

export interface Samples {
  readonly cards: readonly string[];
  readonly codes: readonly string[];
  readonly customers: readonly string[];
}

/** Chooses cards, codes and customers, a third of the number each. */
export async function chooseSamples(vouchers: string, customers: string, number: number): Promise<Samples> {
  const third = Math.ceil(number / 3);
  const [cards, codes, people] = [new Sample(third), new Sample(third), new Sample(number - 2 * third)];
  for await (const { code = '', voucher_type } of cellsIn(vouchers)) {
    (voucher_type === 'LOYALTY_CARD' ? cards : codes).see(code);
  }
  for await (const { id = '' } of cellsIn(customers)) people.see(id);
  return { cards: cards.names, codes: codes.names, customers: people.names };
}

/** A customer with the line of the last redemption, which is checked once more. */
export interface Redeemer {
  readonly customer: string;
  readonly last: Cells;
}

/** Returns whether the line records that a customer has redeemed a code or a tier. */
function isRedeemed({ object, result, customer_id, voucher_code, promotion_tier_id }: Cells): boolean {
  const isOne = voucher_code !== undefined || promotion_tier_id !== undefined;
  return object !== 'redemption_rollback' && result === 'SUCCESS' && customer_id !== undefined && isOne;
}

/** Chooses customers who have redeemed. */
export async function chooseRedeemers(redemptions: string, number: number): Promise<Redeemer[]> {
  const people = new Sample(number);
  for await (const cells of cellsIn(redemptions)) if (isRedeemed(cells)) people.see(cells.customer_id ?? '');
  const last = new Map<string, Cells | undefined>(people.names.map((name) => [name, undefined]));
  for await (const cells of cellsIn(redemptions)) {
    const { customer_id = '', date = '' } = cells;
    if (!isRedeemed(cells) || !last.has(customer_id)) continue;
    if (date >= (last.get(customer_id)?.date ?? '')) last.set(customer_id, cells);
  }
  return [...last].flatMap(([customer, line]) => (line ? [{ customer, last: line }] : []));
}
