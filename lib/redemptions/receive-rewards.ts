import type { Writing } from '../context.ts';
import { occasionOf } from '../customers/save-customer.ts';
import { spentLots } from '../ledger/lots.ts';
import { type Received, receive } from '../reward-redemption/reward-effects.ts';
import type { Plan } from './bring-about.ts';

/** What members get for the points of their cards, in the order of the uses; nothing where points are not what is used. */
export type Rewards = readonly (Received | undefined)[];

/** `undefined`: others were faster, and all is to be read again. */
export async function receiveRewards(context: Writing, { uses, taken, gathered }: Plan): Promise<Rewards | undefined> {
  const customer = gathered.customer?.after;
  const rewards: (Received | undefined)[] = [];
  for (const [index, { one, id }] of uses.entries()) {
    const { voucher } = one.target;
    const { reward } = one;
    if (!reward || !voucher || !customer) {
      rewards.push(undefined);
      continue;
    }
    const [paid] = taken[index]?.spent ?? [];
    const received = await receive(context, {
      card: { item: voucher, programme: reward.programme },
      chosen: reward,
      customer,
      occasion: occasionOf(context),
      redemptionId: id,
      spent: paid ? spentLots(paid.before.lots, paid.after.lots) : [],
    });
    if (!received) return undefined;
    rewards.push(received);
  }
  return rewards;
}
