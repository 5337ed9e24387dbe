import { customers } from '#engine/customers/customer.ts';
import type { RuleContext } from '#engine/rules/context.ts';
import { type CountedSubject, counterKey, counters, isByPerson } from '#engine/rules/counter.ts';
import { expireCounter } from '#engine/rules/counts.ts';
import { inZoneOf } from '#kernel/core/local-time.ts';
import { identifyPerson } from '#kernel/core/person.ts';
import type { Reading } from '#kernel/http/context.ts';
import { type Addition, additionKey, newAddition } from '#kernel/table/addition.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { change, commitApart, type Effect, maxWrites } from '#kernel/table/effects.ts';
import { keyText } from '#kernel/table/keys.ts';
import type { Entry } from '#kernel/table/listing.ts';
import { read } from '#kernel/table/read.ts';
import { type RedemptionItem, redemptions } from './redemption.ts';

/** Counts redemptions from before a rule named their limits. */

/** The keyed hashes of persons, by the ids of their customers. */
type Persons = ReadonlyMap<string, string>;

function countedAs(item: RedemptionItem, persons: Persons): CountedSubject {
  return {
    redeemable: {
      object: item.related_object_type === 'promotion_tier' ? 'promotion_tier' : 'voucher',
      id: item.related_object_id ?? '',
      created_at: item.voucher_created_at,
    },
    campaign_id: item.related_object_parent_id,
    customer: item.customer_id,
    person: persons.get(item.customer_id ?? ''),
    api_key: item.channel.channel_id,
  };
}

/** Returns the context as rules saw it then: the order without discounts of the request's earlier redeemables. */
function contextOf({ order, gift_credits, date }: RedemptionItem): RuleContext {
  const off = order?.total_applied_discount_amount ?? 0;
  const rest = order?.total_amount ?? order?.amount ?? 0;
  return {
    now: new Date(date),
    order: { amount: rest + off, items: [] },
    redemption: { discount_amount: off, gift_credits: gift_credits ?? 0 },
  };
}

/** A single redemption, or several of one request, whose first record has the limits of all. */
interface Made {
  readonly first: RedemptionItem;
  readonly members: readonly RedemptionItem[];
}

/** The redemptions to count, either of one campaign or of one code. */
export interface EarlierRedemptions {
  readonly names: readonly string[];
  readonly isOf: (item: RedemptionItem) => boolean;
}

/** A redemption with its additions to counters, by their keys. */
interface Open extends Made {
  readonly added: ReadonlyMap<string, { readonly name: string; readonly added: Addition }>;
}

/** Returns the uncounted part of a redemption. Counters of past periods are useless, and left out. */
function openOf({ project, now }: Reading, made: Made, names: readonly string[], persons: Persons): Open {
  const has = new Set((made.first.taken ?? []).map(keyText));
  const added = new Map<string, { name: string; added: Addition }>();
  for (const item of made.members) {
    const counted = countedAs(item, persons);
    for (const name of names) {
      const key = counterKey(project.id, name, counted, inZoneOf(now, new Date(item.date)));
      const current = counterKey(project.id, name, counted, now);
      const by = counters.get(name)?.grows(contextOf(item)) ?? 0;
      if (!key || !current || by === 0 || keyText(key) !== keyText(current) || has.has(keyText(key))) continue;
      const count = (added.get(keyText(key))?.added.by.count ?? 0) + by;
      added.set(keyText(key), { name, added: newAddition(key, { count }) });
    }
  }
  return { ...made, added };
}

/**
 * Recognises the persons of earlier redemptions by the present data of their customers. A deleted customer matches no
 * person.
 */
async function readPersons({ table, project }: Reading, items: readonly RedemptionItem[]): Promise<Persons> {
  const ids = [...new Set(items.flatMap(({ customer_id }) => customer_id ?? []))];
  const { found } = await read(table, { found: ids.map((id) => customers(project.id, id)) });
  return new Map(
    found.flatMap((customer) => {
      const person = customer && identifyPerson(project, customer);
      return customer && person ? [[customer.id, person]] : [];
    }),
  );
}

async function readSeveral({ table, project }: Reading, parentIds: readonly string[]): Promise<RedemptionItem[][]> {
  const { parents } = await read(table, { parents: parentIds.map((id) => redemptions(project.id, id)) });
  const ids = parents.map((parent) => parent?.redemptions ?? []);
  const { found } = await read(table, { found: ids.flat().map((id) => redemptions(project.id, id)) });
  const byId = new Map(found.flatMap((item) => (item ? [[item.id, item] as const] : [])));
  const several = ids.map((own) => own.flatMap((id) => byId.get(id) ?? []));
  // Records may be written after their transaction. Without the first record the mark has no place.
  return several.filter((own, index) => own.length === ids[index]?.length);
}

async function readOpen(
  context: Reading,
  ids: readonly string[],
  { names, isOf }: EarlierRedemptions,
): Promise<Open[]> {
  const { found } = await read(context.table, { found: ids.map((id) => redemptions(context.project.id, id)) });
  const isCounted = (item: RedemptionItem) => item.status === 'SUCCEEDED' && item.object === 'redemption';
  const items = found.filter((item) => item !== undefined).filter(isCounted);
  const alone = items.filter(({ redemption }) => redemption === undefined);
  const several = await readSeveral(context, [...new Set(items.flatMap(({ redemption }) => redemption ?? []))]);
  const all = [...alone.map((item) => [item]), ...several].flatMap((members): Made[] => {
    const [first] = members;
    return first ? [{ first, members: members.filter((one) => isCounted(one) && isOf(one)) }] : [];
  });
  const persons = names.some(isByPerson) ? await readPersons(context, items) : new Map();
  return all.map((made) => openOf(context, made, names, persons)).filter(({ added }) => added.size > 0);
}

function effectsOf({ project, now }: Reading, { first, added }: Open): Effect[] {
  const all = [...added.values()];
  return [
    change(redemptions(project.id, first.id), (update) =>
      update
        .whenThere()
        .whenStill('status', first.status)
        .whenStill('taken', first.taken)
        .set(['taken'], [...(first.taken ?? []), ...all.map((one) => one.added)]),
    ),
    ...all.map(({ name, added }) =>
      change(additionKey(added), (update) => expireCounter(update, name, now).add('count', added.by.count ?? 0)),
    ),
  ];
}

/** Returns the effects that fit into one transaction. */
function together(context: Reading, open: readonly Open[]): Effect[] {
  const effects: Effect[] = [];
  for (const one of open) {
    const more = effectsOf(context, one);
    if (effects.length > 0 && effects.length + more.length > maxWrites) break;
    effects.push(...more);
  }
  return effects;
}

/**
 * Counts each redemption once, together with a mark on its record. Simultaneous and repeated runs skip it, and its rollback subtracts the
 * counts.
 */
export async function countEarlier(
  context: Reading,
  batch: readonly Entry[],
  earlier: EarlierRedemptions,
): Promise<void> {
  const ids = batch.map(({ listed }) => String(listed.id));
  await retryOptimistically(context.table, async () => {
    const open = await readOpen(context, ids, earlier);
    if (open.length === 0) return true;
    await commitApart(context.table, together(context, open));
    return again;
  });
}
