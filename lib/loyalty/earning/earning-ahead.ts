import { begun } from '../../core/begun.ts';
import { findCards, heldCardIds } from '../../customers/find-customer.ts';
import type { Reading } from '../../http/context.ts';
import { orderPaid } from '../../ledger/earning-events.ts';
import type { VoucherItem } from '../../vouchers/voucher.ts';
import { Programmes } from './earning-programmes.ts';

/**
 * What a paid order earns by, read beside what the checkout itself needs, so that a customer who earns waits no longer than one
 * who does not. Cards are read before their holder is: whoever is made a member by them looks again.
 */
export class EarningAhead {
  readonly programmes: Programmes;
  readonly #context: Reading;
  #held: { readonly customerId: string; readonly cards: Promise<VoucherItem[]> } | undefined;
  #reads: Promise<unknown>[] = [];

  constructor(context: Reading) {
    this.#context = context;
    this.programmes = new Programmes(context);
  }

  /** As soon as an order is there. */
  begin(): void {
    this.#reads.push(begun(this.programmes.rewarding(orderPaid)));
  }

  /** As soon as it is known whose it is; anew at each attempt. */
  beginFor(customerId: string | undefined): void {
    if (customerId === undefined) return;
    const cards = begun(this.#heldBy(customerId));
    this.#held = { customerId, cards };
    this.#reads.push(cards);
  }

  async #heldBy(customerId: string): Promise<VoucherItem[]> {
    const [ids, campaignIds] = await Promise.all([
      heldCardIds(this.#context, customerId),
      this.programmes.campaignIds(orderPaid),
    ]);
    return campaignIds.length === 0 ? [] : findCards(this.#context, ids);
  }

  /** What the customer held when it was last begun; nothing where that is not known. */
  heldBy(customerId: string): Promise<VoucherItem[]> | undefined {
    return this.#held?.customerId === customerId ? this.#held.cards : undefined;
  }

  /** When nothing is under way any more: a function's container stands still after its reply. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.#reads);
  }
}
