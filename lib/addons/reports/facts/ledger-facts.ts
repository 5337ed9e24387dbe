import * as v from 'valibot';
import { count, dateTime, integer } from '#kernel/core/schema.ts';
import type { Attributes } from '#kernel/table/item.ts';
import { keyOf, readKinds } from '#kernel/table/keys.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { type Fact, makeFact } from './fact-tables.ts';

const one = v.optional(v.object({ id: v.string() }));
const tier = v.nullish(v.object({ id: v.string() }));

const entry = v.object({
  id: v.string(),
  type: v.string(),
  points: integer,
  balance: count,
  sequence: count,
  voucher_id: v.string(),
  code: v.string(),
  campaign_id: v.nullish(v.string()),
  campaign: v.optional(v.string()),
  created_at: dateTime,
  about: v.optional(
    v.object({
      order: one,
      redemption: one,
      rollback: one,
      reward: one,
      earning_rule_id: v.optional(v.string()),
      pending_points_id: v.optional(v.string()),
    }),
    {},
  ),
  event_source: v.nullish(v.object({ channel: v.optional(v.string()) })),
  moves: v.optional(v.array(v.object({ kind: v.string(), from: tier, to: tier })), []),
});

/** Returns the change of the balance, and the moves between tiers that it caused. */
export function findEntryFacts(project: string, item: Attributes): Fact[] {
  const found = v.parse(entry, item);
  const { about: cause } = found;
  const campaignId = found.campaign_id ?? null;
  const at_ms = Date.parse(found.created_at);
  const common = {
    fact_id: found.id,
    at_ms,
    entry_number: found.sequence,
    type: found.type,
    card_id: found.voucher_id,
    code: found.code,
    campaign_id: campaignId,
    campaign_name: found.campaign ?? null,
    order_id: cause.order?.id ?? null,
    redemption_id: cause.redemption?.id ?? null,
    rollback_id: cause.rollback?.id ?? null,
    channel: found.event_source?.channel ?? null,
  };
  const change = found.type.startsWith('CREDITS_')
    ? makeFact('credits', project, { ...common, amount_minor: found.points, balance_minor: found.balance })
    : makeFact('points', project, {
        ...common,
        points: found.points,
        balance_points: found.balance,
        earning_rule_id: cause.earning_rule_id ?? null,
        reward_id: cause.reward?.id ?? null,
        pending_points_id: cause.pending_points_id ?? null,
      });
  const moved = found.moves.map(({ kind, from, to }, index) =>
    makeFact('tier_moves', project, {
      fact_id: `${found.id}.${index}`,
      at_ms,
      move: kind,
      card_id: found.voucher_id,
      campaign_id: campaignId,
      from_tier_id: from?.id ?? null,
      to_tier_id: to?.id ?? null,
    }),
  );
  return [change, ...moved];
}

const moveActivity = v.object({
  id: v.string(),
  type: v.string(),
  created_at: v.string(),
  campaign_id: v.optional(v.nullable(v.string())),
  data: v.object({
    data: v.object({
      voucher: v.object({ id: v.string() }),
      loyalty_tier: tier,
      loyalty_tier_from: tier,
      loyalty_tier_to: tier,
    }),
  }),
});

const typeOfMoves = 'customer.loyalty.tier.';

/** Returns the move of an activity of a card. Moves by points are in the entry of the points. */
export function findMoveFacts(project: string, item: Attributes): Fact[] {
  const type = String(item.type);
  // A customer's imported activities repeat moves of the card.
  if (!type.startsWith(typeOfMoves) || readKinds(keyOf(item)).owner !== kinds.voucher) return [];
  const move = type.slice(typeOfMoves.length);
  const { id, created_at, campaign_id, data } = v.parse(moveActivity, item);
  const { voucher, loyalty_tier, loyalty_tier_from: from, loyalty_tier_to: to } = data.data;
  const isLeft = move === 'left';
  return [
    makeFact('tier_moves', project, {
      fact_id: id,
      at_ms: Date.parse(created_at),
      move,
      card_id: voucher.id,
      campaign_id: campaign_id ?? null,
      from_tier_id: (from ?? (isLeft || move === 'prolonged' ? loyalty_tier : undefined))?.id ?? null,
      to_tier_id: (to ?? (isLeft ? undefined : loyalty_tier))?.id ?? null,
    }),
  ];
}
