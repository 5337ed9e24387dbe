import { begun } from '../begun.ts';
import type { Upsert } from '../customers/upsert-customer.ts';
import type { Asked } from '../redeemables/checkout-body.ts';
import { type Finding, readCustomer } from '../redeemables/facts.ts';
import { type Calling, findPerson } from '../redeemables/gather.ts';
import type { FoundOrder } from '../redeemables/order.ts';
import { readHeld } from './wallet.ts';

/** Who asks, with what is read of them beside their item. */
export interface Person {
  readonly customer: Upsert | undefined;
  readonly held: Awaited<ReturnType<typeof readHeld>>;
  /** With their cards, where rules ask for segments or tiers. */
  readonly finding: Finding | undefined;
}

export interface Wants {
  readonly held: boolean;
  readonly cards: boolean;
}

/** Whom a source id meant last in this container: a source id is nobody else's as long as its customer is there. */
const seen = new WeakMap<object, Map<string, string>>();
const maxSeen = 10_000;

function seenBy({ table }: Calling): Map<string, string> {
  const own = seen.get(table.container) ?? new Map<string, string>();
  seen.set(table.container, own);
  return own;
}

function nameOf({ table, project }: Calling, sourceId: string): string {
  return [table.name, project.id, sourceId].join('\n');
}

function begin(context: Calling, id: string, { held, cards }: Wants) {
  return {
    id,
    held: held ? begun(readHeld(context, id)) : undefined,
    finding: cards ? { id, customer: begun(readCustomer(context, id)) } : undefined,
  };
}

/** Begins with whom the container guesses, so that what is theirs is read together with who they are. */
export async function findAsking(
  context: Calling,
  asked: Asked,
  findingOrder: Promise<FoundOrder | undefined>,
  wants: Wants,
): Promise<Person> {
  const { id, source_id } = asked.customer?.data ?? {};
  const known = source_id ? seenBy(context).get(nameOf(context, source_id)) : undefined;
  const guess = id || known;
  const early = guess ? begin(context, guess, wants) : undefined;
  const person = await findPerson(context, asked, findingOrder);
  if (!id && source_id && person?.id) {
    if (seenBy(context).size >= maxSeen) seenBy(context).clear();
    seenBy(context).set(nameOf(context, source_id), person.id);
  }
  const own = person?.id === undefined ? undefined : person.id === early?.id ? early : begin(context, person.id, wants);
  const [customer, held = []] = await Promise.all([person?.upsert(), own?.held]);
  return { customer, held: customer?.before ? held : [], finding: customer?.before ? own?.finding : undefined };
}
