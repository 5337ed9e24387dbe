import { hash } from 'node:crypto';
import { cellsIn } from './csv-rows.ts';

/** Chooses samples. The same project gives the same samples, wherever its entries are. */

interface Kept {
  readonly name: string;
  readonly digest: string;
}

class Sample {
  readonly #most: number;
  #kept: Kept[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  see(name: string): void {
    const digest = hash('sha256', name, 'hex');
    const last = this.#kept.at(-1);
    if (this.#kept.length >= this.#most && last && digest >= last.digest) return;
    this.#kept.push({ name, digest });
    this.#kept.sort((one, other) => (one.digest < other.digest ? -1 : 1));
    this.#kept = this.#kept.slice(0, this.#most);
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
