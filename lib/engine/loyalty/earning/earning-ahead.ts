import { findCards, readHeldCardIds } from '#engine/customers/find-customer.ts';
import { orderPaid } from '#engine/ledger/earning-events.ts';
import type { VoucherItem } from '#engine/vouchers/voucher.ts';
import { awaitLater } from '#kernel/core/await-later.ts';
import type { Reading } from '#kernel/http/context.ts';
import { Programmes } from './earning-programmes.ts';

/**
 * Reads what a paid order earns together with the checkout's own items, so that earning adds no wait. Cards are read before their holder,
 * so they are read again before a new card is made.
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

  /** Begins as soon as the order is known. */
  begin(): void {
    this.#reads.push(awaitLater(this.programmes.rewarding(orderPaid)));
  }

  /** Begins as soon as the customer is known, and again at each attempt. */
  beginFor(customerId: string | undefined): void {
    if (customerId === undefined) return;
    const cards = awaitLater(this.#heldBy(customerId));
    this.#held = { customerId, cards };
    this.#reads.push(cards);
  }

  async #heldBy(customerId: string): Promise<VoucherItem[]> {
    const [ids, campaignIds] = await Promise.all([
      readHeldCardIds(this.#context, customerId),
      this.programmes.campaignIds(orderPaid),
    ]);
    return campaignIds.length === 0 ? [] : findCards(this.#context, ids);
  }

  /** Returns the customer's cards as of the last begin, or nothing if they are unknown. */
  heldBy(customerId: string): Promise<VoucherItem[]> | undefined {
    return this.#held?.customerId === customerId ? this.#held.cards : undefined;
  }

  /** Resolves when all reads have ended. A function's container freezes after its reply. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.#reads);
  }
}
