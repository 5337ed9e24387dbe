import * as v from 'valibot';
import { guardNewCard } from '#engine/customers/change-customer.ts';
import type { CustomerItem } from '#engine/customers/customer.ts';
import { findCustomerById, findHeldCards } from '#engine/customers/find-customer.ts';
import { activityTypes, readOccasion } from '#engine/ledger/activities/activity.ts';
import { tierEvent, tierEvents } from '#engine/ledger/earning-events.ts';
import { tierMove } from '#engine/ledger/ledger-entry.ts';
import { type VoucherItem, vouchers } from '#engine/vouchers/voucher.ts';
import type { Reading } from '#kernel/http/context.ts';
import { type Again, again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { setDue } from '#kernel/table/due.ts';
import { change, commitApart, type Effect } from '#kernel/table/effects.ts';
import { type Attributes, parseStored } from '#kernel/table/item.ts';
import { type Key, ownerKey } from '#kernel/table/keys.ts';
import { type Gain, gainEffects } from './card-earnings.ts';
import { Programmes } from './earning-programmes.ts';
import { computeHeldGains, settleGains } from './gains.ts';

/** Applies earning rules to moves between tiers. An entry or activity with moves has a mark until its rules were applied. */

const tier = v.object({ id: v.string(), name: v.string() });

const marked = v.object({
  dueAt: v.optional(v.string()),
  tier_round: v.optional(v.number(), 0),
  moves: v.optional(v.array(tierMove), []),
  type: v.string(),
  group_id: v.optional(v.string()),
  data: v.optional(
    v.object({
      data: v.object({
        loyalty_tier: v.optional(tier),
        loyalty_tier_to: v.optional(tier),
      }),
    }),
  ),
});

interface Move {
  readonly event: string;
  /** The group of the move's activity. */
  readonly groupId: string | undefined;
  /** The tier that the member joined, kept or left. */
  readonly tier: v.InferOutput<typeof tier> | undefined;
}

function movesIn({ moves, type, group_id: groupId, data }: v.InferOutput<typeof marked>): Move[] {
  const own = tierEvents.find((kind) => activityTypes[kind] === type);
  const { loyalty_tier_to, loyalty_tier = loyalty_tier_to } = data?.data ?? {};
  return [
    ...moves.map(({ kind, from, to }) => ({
      event: tierEvent(kind),
      groupId,
      tier: (kind === 'left' ? from : to) ?? undefined,
    })),
    ...(own ? [{ event: tierEvent(own), groupId, tier: loyalty_tier }] : []),
  ];
}

/** Joins the points of several moves for one card. */
function together(gains: readonly Gain[]): Gain[] {
  const byCard = Map.groupBy(gains, ({ card, isNew }) => (isNew ? `new ${card.item.campaign_id}` : card.item.id));
  return [...byCard.values()].flatMap(([first, ...others]) =>
    first ? [{ ...first, earnings: [first, ...others].flatMap(({ earnings }) => earnings) }] : [],
  );
}

/** Returns the gains. `again` means that cards had to be settled first, and all must be read again. */
async function earnedBy(
  context: Reading,
  card: VoucherItem,
  customer: CustomerItem,
  { moves, round }: { moves: readonly Move[]; round: number },
): Promise<Effect[] | Again> {
  const { project, now } = context;
  const { id: customerId, metadata: customerMetadata, birthdate: customerBirthdate } = customer;
  const programmes = new Map(moves.map(({ event }) => [event, new Programmes(context)]));
  // The customer may have several cards in one programme. The points are for the card that moved.
  const others = await findHeldCards(context, customerId);
  const held = [card, ...others.filter(({ id }) => id !== card.id)];
  const all: Gain[] = [];
  for (const { event, groupId, tier } of moves) {
    const known = programmes.get(event) ?? new Programmes(context);
    const whose = { metadata: {}, customerMetadata, customerBirthdate, customerId, held };
    const group = groupId === undefined ? {} : { event_group_id: groupId };
    const by = { event, ...group, ...(tier ? { loyalty_tier: { id: tier.id, name: tier.name } } : {}) };
    for (const gain of await computeHeldGains(context, known, { event, subjectId: tier?.id, ...whose })) {
      all.push({ ...gain, earnings: gain.earnings.map((earning) => ({ ...earning, by })) });
    }
  }
  const gains = together(all);
  if (await settleGains(context, gains)) return again;
  const [{ event } = { event: '' }] = moves;
  return [
    ...(gains.some(({ isNew }) => isNew) ? [guardNewCard(project, customer, now)] : []),
    ...gains.flatMap((gain) =>
      gainEffects(context, gain, { event, customerId }, readOccasion({ now }), undefined, round + 1),
    ),
  ];
}

/** Applies the rules to the moves under the key once. The same transaction removes the mark. */
export async function rewardMoves(context: Reading, key: Key): Promise<'settled' | 'skipped'> {
  const { table, project } = context;
  return retryOptimistically(table, async () => {
    const [item]: (Attributes | undefined)[] = await table.getMany([key]);
    const { dueAt, tier_round: round, ...told } = item ? parseStored(marked, item) : { tier_round: 0 };
    if (!item || dueAt === undefined || !('type' in told)) return 'skipped';
    const card = await table.get(ownerKey(key), vouchers.schema);
    const customer = card?.holder_id ? await findCustomerById(context, card.holder_id) : undefined;
    const moves = movesIn({ ...told, tier_round: round });
    const earned = card && customer ? await earnedBy(context, card, customer, { moves, round }) : [];
    if (earned === again) return again;
    const unmarked = change({ ...vouchers(project.id, ''), ...key }, (update) =>
      setDue(update.whenStill('dueAt', dueAt), key, undefined),
    );
    return (await commitApart(table, [unmarked, ...earned])) ? 'settled' : again;
  });
}
