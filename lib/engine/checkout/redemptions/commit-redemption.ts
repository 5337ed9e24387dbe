import { customers } from '#engine/customers/customer.ts';
import { writeUpsert } from '#engine/customers/upsert-customer.ts';
import type { HeldPart } from '#engine/holds/shared.ts';
import { readOccasion } from '#engine/ledger/activities/activity.ts';
import { findSpentLots } from '#engine/ledger/lots.ts';
import { mergeCardChanges } from '#engine/loyalty/earning/card-earnings.ts';
import type { EarningAhead } from '#engine/loyalty/earning/earning-ahead.ts';
import { commitEarnings, settleGains } from '#engine/loyalty/earning/gains.ts';
import {
  addRewardPoints,
  type Credits,
  findCredits,
  hasNewCard,
  noCredits,
} from '#engine/loyalty/referrals/rewards.ts';
import { changeColdCounts } from '#engine/rules/counts.ts';
import { postToGifts } from '#engine/vouchers/gift-credit.ts';
import { newAddition } from '#kernel/table/addition.ts';
import { type Again, again } from '#kernel/table/conflicts.ts';
import { canFitOneTransaction, type Effect, maxWrites, mergeEffects } from '#kernel/table/effects.ts';
import { keyText } from '#kernel/table/keys.ts';
import type { OrderItem } from '../orders/resource.ts';
import { type OrderChange, orderEffects } from '../orders/save-order.ts';
import { countCustomerFigures, keepRecords } from './figures.ts';
import type { Redeemed, Redeeming, RedemptionPlan, Rewards } from './plan.ts';
import { receiveRewards } from './receive-rewards.ts';
import { buildParent, buildRedemption, keepFullOrder, keepSlimOrder } from './records.ts';
import { redeemOnOrder, shareUses } from './redeem-on-order.ts';
import type { RedemptionItem } from './redemption.ts';
import { recordRedemption } from './redemption-activities.ts';
import { listHeldCounters, tooManyWrites } from './rollback-size.ts';
import type { TakenUse } from './voucher-effects.ts';
import { keepWritesBehind, makeWritesBehind } from './writes-behind.ts';

/** Commits a whole redemption in one transaction (docs/contributing.md#checkout). */

/** Points and credits for the customer's cards, besides their payments. */
interface Given {
  readonly rewards: Rewards;
  readonly credits: Credits;
}

/** Returns the effects on the customer of a redemption without an order. `again` means that cards were settled first. */
async function customerAround(
  context: Redeeming,
  { programmes }: EarningAhead,
  { gathered: { customer }, referred }: RedemptionPlan,
  { spent, getsCard }: Pick<OrderChange, 'spent'> & { readonly getsCard: boolean },
) {
  const occasion = readOccasion(context);
  const gains = await addRewardPoints(context, programmes, [], referred?.rewarded ?? []);
  if (await settleGains(context, gains)) return again;
  const more = { referrals: referred?.referrals ?? [], getsCard: getsCard || hasNewCard(gains, customer?.after.id) };
  const cause = { event: '', customerId: customer?.after.id ?? '' };
  const effects = [
    ...(customer ? writeUpsert(context, customer, occasion, more) : []),
    ...mergeCardChanges(context, { gains, spent }, cause, occasion, context.round),
  ];
  return { after: undefined, effects };
}

/** Returns the effects on the order and its people, or on the customer alone. `again` means that cards were settled first. */
async function orderAround(
  context: Redeeming,
  earning: EarningAhead,
  plan: RedemptionPlan,
  { rewards, credits }: Given,
) {
  const received = rewards.filter((one) => one !== undefined);
  const { gathered, uses, parentId, taken, decided, referred } = plan;
  const { order: found, customer } = gathered;
  const spent = [...taken.flatMap((one) => one.spent), ...received.flatMap(({ credited }) => credited)];
  const getsCard = credits.madeFor.includes(gathered.customer?.after.id ?? '') || received.some((one) => one.getsCard);
  if (!found) return customerAround(context, earning, plan, { spent, getsCard });
  const people = { customer, referrer: plan.referrer };
  const next = redeemOnOrder(found, { uses, parentId, id: plan.order?.id, order: decided.order, people }, context.now);
  return orderEffects(
    context,
    earning,
    {
      ...{ before: found.before, next, people, stored: found.effects, spent, getsCard, referred },
      redemptionId: parentId ?? uses[0]?.id,
    },
    readOccasion(context),
  );
}

/** Returns the records. Each of several has its own changes of the order, and their parent has all. */
function itemsOf(
  {
    about,
    uses,
    taken,
    parentId,
    decided,
    gathered,
    counted,
    rewards,
    held: { id, numbers },
  }: RedemptionPlan & { counted: TakenUse['added']; rewards: Rewards; held: HeldPart },
  after: OrderItem | undefined,
) {
  const steps = gathered.order && after ? shareUses(gathered.order, after, uses).steps : [];
  const order = keepFullOrder(decided.order, after, [steps[0], steps.at(-1)]);
  const items = uses.map((use, index) =>
    buildRedemption(about, use, {
      parentId,
      order: parentId === undefined ? order : keepSlimOrder(use.outcome.order, after, [steps[index], steps[index + 1]]),
      // Limits of rules are counted for the whole request, so a rollback of its first redemption gives them back.
      taken: [...(taken[index]?.added ?? []), ...(index === 0 ? counted : [])],
      lots: taken[index]?.spent.flatMap(({ before, after: card }) => findSpentLots(before.lots, card.lots)),
      reward: rewards[index],
    }),
  );
  const parent = parentId === undefined ? undefined : buildParent(about, parentId, uses, order);
  const numbered = <R extends RedemptionItem>(one: R) => (numbers && one.id === id ? { ...one, held: numbers } : one);
  return { items: items.map(numbered), parent: parent && numbered(parent), order };
}

/** Returns the records of a redemption. Records of children, and their activities, may be written after the transaction. */
function recordEffects(
  context: Redeeming,
  { uses, about }: RedemptionPlan,
  { items, parent }: { items: readonly RedemptionItem[]; parent: RedemptionItem | undefined },
): { records: Effect[]; children: Effect[] } {
  const { project } = context;
  const occasion = readOccasion(context);
  const kept = keepRecords(project.id, parent ? [...items, parent] : items);
  const told = items.flatMap((item, index) => recordRedemption(project.id, item, occasion, uses[index]?.one));
  const children = [...kept.slice(0, items.length), ...told];
  const customer = about.customerId === undefined ? undefined : keyText(customers(project.id, about.customerId));
  const isOfCustomer = ({ key }: Effect) => keyText(key) === customer;
  return {
    records: [
      ...kept.slice(items.length),
      ...countCustomerFigures(project.id, about.customerId, items),
      ...children.filter(isOfCustomer),
    ],
    children: children.filter((effect) => !isOfCustomer(effect)),
  };
}

/** The writes, and their results. */
interface Prepared {
  readonly effects: readonly Effect[];
  /** The id of the writes that follow the transaction. */
  readonly behind: string | undefined;
  readonly redeemed: Redeemed;
}

/** Reads the consequences of the plan, and writes nothing. `again` means that cards were settled first, and all must be read again. */
export async function prepareRedemption(
  context: Redeeming,
  earning: EarningAhead,
  plan: RedemptionPlan,
  held: HeldPart,
): Promise<Prepared | Again> {
  const { gathered, uses, taken, decided, about, referred } = plan;
  const { facts, asked, request } = gathered;
  const rewards = await receiveRewards(context, plan);
  if (rewards === again) return again;
  const credits = referred ? await findCredits(context, earning.programmes, referred.rewarded) : noCredits;
  const around = await orderAround(context, earning, plan, { rewards, credits });
  if (around === again) return again;
  const gifts = [...taken, ...rewards.filter((one) => one !== undefined), credits].flatMap((one) => one.gifts);
  const counts = listHeldCounters(gathered, uses, about.customerId);
  const counted = counts.map(({ key, by }) => newAddition(key, { count: by }));
  const { items, parent, order } = itemsOf({ ...plan, counted, rewards, held }, around.after);
  const moment = { now: request.now, sessionKey: asked.session?.key ?? undefined };
  const { records, children } = recordEffects(context, plan, { items, parent });
  const effects = [
    ...around.effects,
    ...taken.flatMap((one) => one.effects),
    ...rewards.flatMap((one) => one?.effects ?? []),
    ...postToGifts(context.project.id, gifts, readOccasion(context)),
    ...credits.made,
    ...(referred?.effects ?? []),
    ...changeColdCounts(counts, facts.counters, moment),
    ...records,
  ];
  const { customer } = gathered;
  const spent = taken.flatMap((one) => one.spent);
  const redeemed = { gathered, decided, uses, items, parent, order, customer, spent, gifts, rewards };
  const withRecords = await withChildren(context, { effects, held: held.effects, children }, parent?.id);
  return withRecords === again ? again : { ...withRecords, redeemed };
}

interface Writes {
  readonly effects: readonly Effect[];
  readonly held: readonly Effect[];
  readonly children: readonly Effect[];
}

/** Adds the records of children if they fit into one transaction, or the job that writes them afterwards. */
async function withChildren(
  context: Redeeming,
  { effects, held, children }: Writes,
  parentId: string | undefined,
): Promise<Pick<Prepared, 'effects' | 'behind'> | Again> {
  const ahead = [...effects, ...held];
  const all = [...ahead, ...children];
  if (canFitOneTransaction(all)) return { effects: all, behind: undefined };
  if (parentId === undefined || !canFitOneTransaction(effects)) throw tooManyWrites();
  // The next attempt may find less contention, and so fewer effects of holds. The job needs one write.
  if (mergeEffects(ahead).length >= maxWrites) return again;
  return { effects: [...ahead, await keepWritesBehind(context, parentId, children)], behind: parentId };
}

/** Commits the redemption. Returns `false` if another request was faster, and all must be read again. */
export async function commitRedemption(
  context: Redeeming,
  { effects, behind }: Pick<Prepared, 'effects' | 'behind'>,
): Promise<boolean> {
  const done = await commitEarnings(context.table, effects, {
    by: 'the redemption, with the earning rules for paid orders,',
    size: 'metadata would make the order or its customer',
  });
  if (!done) return false;
  // The redemption is committed. The job makes the writes that fail now.
  if (behind !== undefined) await makeWritesBehind(context, behind).catch(() => {});
  return true;
}
