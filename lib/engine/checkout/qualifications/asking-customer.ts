import { guessCustomer } from '#engine/customers/find-customer.ts';
import type { Upsert } from '#engine/customers/upsert-customer.ts';
import { awaitLater } from '#kernel/core/await-later.ts';
import type { Calling } from '../request/build-redeemable.ts';
import type { Asked } from '../request/checkout-body.ts';
import { type Finding, readCustomer } from '../request/facts.ts';

import { type FoundOrder, findPayer } from '../request/order.ts';
import type { Codes } from './wallet.ts';

/** The customer, with the data that is read besides their item. */
export interface AskingCustomer {
  readonly customer: Upsert | undefined;
  readonly codes: Codes;
  /** The customer with their cards, if rules need segments or tiers. */
  readonly finding: Finding | undefined;
}

export interface Wants {
  /** Reads held vouchers and public vouchers. */
  readonly codesOf: (customerId: string | undefined) => Promise<Codes>;
  readonly cards: boolean;
}

function begin(context: Calling, id: string | undefined, { codesOf, cards }: Wants) {
  return {
    id,
    codes: awaitLater(codesOf(id)),
    finding: cards && id !== undefined ? { id, customer: awaitLater(readCustomer(context, id)) } : undefined,
  };
}

/** Begins with the guessed customer, so that their data is read together with their item. */
export async function findAskingCustomer(
  context: Calling,
  asked: Asked,
  findingOrder: Promise<FoundOrder | undefined>,
  wants: Wants,
): Promise<AskingCustomer> {
  const { id, source_id } = asked.customer?.data ?? {};
  const guess = id || (source_id ? guessCustomer(context, source_id) : undefined);
  const early = guess ? begin(context, guess, wants) : undefined;
  const person = await findPayer(context, asked, findingOrder);
  const own = early && early.id === person?.id ? early : begin(context, person?.id, wants);
  const [customer, codes] = await Promise.all([person?.upsert(), own.codes]);
  const led = customer?.before?.id;
  if (led !== undefined && led !== own.id) {
    const other = begin(context, led, wants);
    return { customer, codes: await other.codes, finding: other.finding };
  }
  const isThere = customer?.before !== undefined;
  return { customer, codes: isThere ? codes : { ...codes, held: [] }, finding: isThere ? own.finding : undefined };
}
