import { customers } from '../../customers/customer.ts';
import { upsertEffects } from '../../customers/upsert-customer.ts';
import { occasionOf } from '../../ledger/activities/activity.ts';
import { spentLots } from '../../ledger/lots.ts';
import { cardsChanged } from '../../loyalty/earning/card-earnings.ts';
import { commitEarnings } from '../../loyalty/earning/commit-earnings.ts';
import type { EarningAhead } from '../../loyalty/earning/earning-ahead.ts';
import { settleGains } from '../../loyalty/earning/gains.ts';
import {
  addRewardPoints,
  type Credits,
  findCredits,
  makesCardFor,
  noCredits,
} from '../../loyalty/referrals/rewards.ts';
import { coldCounts } from '../../rules/counts.ts';
import { addedTo } from '../../table/added.ts';
import { type Effect, fitsOneTransaction, maxWrites, mergedWrites } from '../../table/effects.ts';
import { keyText } from '../../table/keys.ts';
import { giftsPosted } from '../../vouchers/gift-credit.ts';
import type { OrderItem } from '../orders/resource.ts';
import { type OrderChange, orderEffects } from '../orders/save-order.ts';
import { countersMoved, tooMuch } from '../rollbacks/rollback-size.ts';
import { customerFigures, keepRecords } from './figures.ts';
import { keepBehind } from './keep-writes.ts';
import { type Holds, settleAll, usedBlocks } from './limits.ts';
import { makeBehind } from './make-writes.ts';
import type { Plan, Redeemed, Redeeming, Rewards } from './plan.ts';
import { receiveRewards } from './receive-rewards.ts';
import { fullOrder, parentOf, redemptionOf, slimOrder } from './records.ts';
import { redeemedOn } from './redeemed-on.ts';
import type { RedemptionItem } from './redemption.ts';
import type { Taken } from './take.ts';
import { tellRedemption } from './tell.ts';

/** One transaction for all of a redemption: see docs/contributing.md#checkout. */

/** What goes to cards and gift cards of the customer besides what they pay. */
interface Given {
  readonly rewards: Rewards;
  readonly credits: Credits;
}

/** The customer alone, of a redemption without an order. `undefined`: cards were settled first. */
async function customerAround(
  context: Redeeming,
  { programmes }: EarningAhead,
  { gathered: { customer }, referred }: Plan,
  { spent, getsCard }: Pick<OrderChange, 'spent'> & { readonly getsCard: boolean },
) {
  const occasion = occasionOf(context);
  const gains = await addRewardPoints(context, programmes, [], referred?.rewarded ?? []);
  if (await settleGains(context, gains)) return undefined;
  const more = { referrals: referred?.referrals ?? [], getsCard: getsCard || makesCardFor(gains, customer?.after.id) };
  const cause = { event: '', customerId: customer?.after.id ?? '' };
  const effects = [
    ...(customer ? upsertEffects(context, customer, occasion, more) : []),
    ...cardsChanged(context, { gains, spent }, cause, occasion, context.round),
  ];
  return { after: undefined, effects };
}

/** The order and its people with all that follows, or the customer alone. `undefined`: cards were settled first. */
async function orderAround(context: Redeeming, earning: EarningAhead, plan: Plan, { rewards, credits }: Given) {
  const received = rewards.filter((one) => one !== undefined);
  const { gathered, uses, parentId, taken, decided, referred } = plan;
  const { order: found, customer } = gathered;
  const spent = [...taken.flatMap((one) => one.spent), ...received.flatMap(({ credited }) => credited)];
  const getsCard = credits.madeFor.includes(gathered.customer?.after.id ?? '') || received.some((one) => one.getsCard);
  if (!found) return customerAround(context, earning, plan, { spent, getsCard });
  const people = { customer, referrer: plan.referrer };
  const next = redeemedOn(found, { uses, parentId, id: plan.order?.id, order: decided.order, people }, context.now);
  return orderEffects(
    context,
    earning,
    {
      ...{ before: found.before, next, people, stored: found.effects, spent, getsCard, referred },
      redemptionId: parentId ?? uses[0]?.id,
    },
    occasionOf(context),
  );
}

/** As they are kept: of several, each with what it did to the order, and their parent with all of it. */
function itemsOf(
  { about, uses, taken, parentId, decided, counted, rewards }: Plan & { counted: Taken['added']; rewards: Rewards },
  after: OrderItem | undefined,
) {
  const order = fullOrder(decided.order, after);
  const items = uses.map((use, index) =>
    redemptionOf(about, use, {
      parentId,
      order: parentId === undefined ? order : slimOrder(use.outcome.order, after),
      // Limits of rules are counted for all of a request: its first redemption gives them back.
      taken: [...(taken[index]?.added ?? []), ...(index === 0 ? counted : [])],
      lots: taken[index]?.spent.flatMap(({ before, after: card }) => spentLots(before.lots, card.lots)),
      reward: rewards[index],
    }),
  );
  const parent = parentId === undefined ? undefined : parentOf(about, parentId, uses, order);
  return { items, parent, order };
}

/** The records of a redemption: those of its children, and what tells of them, may also be written behind the transaction. */
function recordEffects(
  context: Redeeming,
  { uses, about }: Plan,
  { items, parent }: { items: readonly RedemptionItem[]; parent: RedemptionItem | undefined },
): { records: Effect[]; children: Effect[] } {
  const { project } = context;
  const occasion = occasionOf(context);
  const kept = keepRecords(project.id, parent ? [...items, parent] : items);
  const told = items.flatMap((item, index) => tellRedemption(project.id, item, occasion, uses[index]?.one));
  const children = [...kept.slice(0, items.length), ...told];
  const customer = about.customerId === undefined ? undefined : keyText(customers(project.id, about.customerId));
  const isOfCustomer = ({ key }: Effect) => keyText(key) === customer;
  return {
    records: [
      ...kept.slice(items.length),
      ...customerFigures(project.id, about.customerId, items),
      ...children.filter(isOfCustomer),
    ],
    children: children.filter((effect) => !isOfCustomer(effect)),
  };
}

/** What is to be written, and what will have come about. */
interface Prepared {
  readonly effects: readonly Effect[];
  /** The id of what the transaction leaves to be written behind it. */
  readonly behind: string | undefined;
  readonly redeemed: Redeemed;
}

/** Credits of programmes by whose codes the customer has come. */
async function creditsOf(
  context: Redeeming,
  { programmes }: EarningAhead,
  referred: Plan['referred'],
): Promise<Credits> {
  return referred ? findCredits(context, programmes, referred.rewarded) : noCredits;
}

/** Reads what follows from the plan, and writes nothing. `undefined`: cards were settled first, and all is to be read again. */
export async function prepare(
  context: Redeeming,
  earning: EarningAhead,
  plan: Plan,
  holds: Holds,
): Promise<Prepared | undefined> {
  const { gathered, uses, taken, decided, about, referred } = plan;
  const { facts, asked, request } = gathered;
  const rewards = await receiveRewards(context, plan);
  if (!rewards) return undefined;
  const credits = await creditsOf(context, earning, referred);
  const around = await orderAround(context, earning, plan, { rewards, credits });
  if (!around) return undefined;
  const gifts = [...taken, ...rewards.filter((one) => one !== undefined), credits].flatMap((one) => one.gifts);
  const counts = countersMoved(gathered, uses, about.customerId);
  const counted = counts.map(({ key, by }) => addedTo(key, { count: by }));
  const { items, parent, order } = itemsOf({ ...plan, counted, rewards }, around.after);
  const moment = { now: request.now, sessionKey: asked.session?.key ?? undefined };
  const { records, children } = recordEffects(context, plan, { items, parent });
  const blocks = usedBlocks(holds);
  const effects = [
    ...around.effects,
    ...taken.flatMap((one) => one.effects),
    ...rewards.flatMap((one) => one?.effects ?? []),
    ...giftsPosted(context.project.id, gifts, occasionOf(context)),
    ...credits.made,
    ...(referred?.effects ?? []),
    ...coldCounts(counts, facts.counters, moment),
    ...records,
  ];
  const { customer } = gathered;
  const spent = taken.flatMap((one) => one.spent);
  const redeemed = { gathered, decided, uses, items, parent, order, customer, spent, gifts, rewards };
  const withRecords = await withChildren(context, { effects, blocks, children }, parent?.id);
  return withRecords && { ...withRecords, redeemed };
}

interface Writes {
  readonly effects: readonly Effect[];
  readonly blocks: readonly Effect[];
  readonly children: readonly Effect[];
}

/** Adds the records of children, as far as one transaction takes them; else the job that writes them behind it. */
async function withChildren(
  context: Redeeming,
  { effects, blocks, children }: Writes,
  parentId: string | undefined,
): Promise<Pick<Prepared, 'effects' | 'behind'> | undefined> {
  const ahead = [...effects, ...blocks];
  const all = [...ahead, ...children];
  if (fitsOneTransaction(all)) return { effects: all, behind: undefined };
  if (parentId === undefined || !fitsOneTransaction(effects)) throw tooMuch();
  // Another attempt may find that the rush is over which blocks are for. The job takes one write.
  if (mergedWrites(ahead).length >= maxWrites) return undefined;
  return { effects: [...ahead, await keepBehind(context, parentId, children)], behind: parentId };
}

/** `false`: others were faster in something, and all is to be read again. */
export async function bringAbout(
  context: Redeeming,
  { effects, behind }: Pick<Prepared, 'effects' | 'behind'>,
  holds: Holds,
): Promise<boolean> {
  const done = await commitEarnings(context.table, effects, {
    by: 'the redemption, with the earning rules for paid orders,',
    size: 'metadata would make the order or its customer',
  });
  if (!done) return false;
  // The job makes what can't be made now: the redemption has come about.
  if (behind !== undefined) await makeBehind(context, behind).catch(() => {});
  await settleAll(context, holds);
  return true;
}
