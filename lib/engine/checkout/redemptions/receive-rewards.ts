import { customers } from '#engine/customers/customer.ts';
import { readOccasion } from '#engine/ledger/activities/activity.ts';
import { findSpentLots } from '#engine/ledger/lots.ts';
import type { VoucherItem } from '#engine/vouchers/voucher.ts';
import { ServiceError } from '#kernel/core/errors.ts';
import type { Writing } from '#kernel/http/context.ts';
import { type Again, again } from '#kernel/table/conflicts.ts';
import { read } from '#kernel/table/read.ts';
import { mustHold } from '../request/state-refusal.ts';
import { type Received, receiveReward } from '../rewards/reward-effects.ts';
import type { RedemptionPlan, Rewards } from './plan.ts';

/** Returns the card's holder, who gets the reward. 400 `invalid_customer` if the request names another customer. */
async function holderOf({ table, project }: Writing, { holder_id }: VoucherItem, { gathered }: RedemptionPlan) {
  const named = gathered.customer?.after;
  if (named && named.id !== holder_id) {
    throw new ServiceError('invalid_customer', { details: mustHold, text: mustHold });
  }
  return named ?? (holder_id ? (await read(table, { holder: customers(project.id, holder_id) })).holder : undefined);
}

function touchedBy({ given: { issued, credits, points } }: Received): string[] {
  return [issued, credits, points].flatMap((one) => one?.voucher_id ?? []);
}

/** Checks that the transaction changes each voucher for one reason only. */
function checkApart({ uses }: RedemptionPlan, rewards: Rewards): void {
  const given = rewards.flatMap((one) => (one ? touchedBy(one) : []));
  const all = [...given, ...uses.flatMap(({ one }) => one.target.voucher?.id ?? [])];
  if (given.length === 0 || new Set(all).size === all.length) return;
  throw new ServiceError('invalid_redeemables', {
    details: 'a reward is put on a card that another redeemable uses or credits: send them in separate requests',
  });
}

/** Adds the paying card to the error. */
function refusedFor({ code }: VoucherItem, error: unknown): unknown {
  if (!(error instanceof ServiceError)) return error;
  const { key, details, resource } = error;
  return new ServiceError(key, {
    details,
    ...(resource ? { resource } : {}),
    redeemable: { id: code, type: 'voucher' },
  });
}

/**
 * Returns the rewards, or `again` if another request was faster, and all must be read again. An error that names a
 * redeemable gives a new reason: no code is left, or no card can be used.
 */
export async function receiveRewards(context: Writing, plan: RedemptionPlan): Promise<Rewards | Again> {
  const { uses, taken } = plan;
  const rewards: (Received | undefined)[] = [];
  for (const [index, { one, id }] of uses.entries()) {
    const { voucher } = one.target;
    const { reward } = one;
    if (!reward || !voucher) {
      rewards.push(undefined);
      continue;
    }
    const customer = await holderOf(context, voucher, plan);
    if (!customer) return again;
    const [paid] = taken[index]?.spent ?? [];
    const received = await receiveReward(context, {
      card: { item: voucher, programme: reward.programme },
      chosen: reward,
      customer,
      occasion: readOccasion(context),
      redemptionId: id,
      spent: paid ? findSpentLots(paid.before.lots, paid.after.lots) : [],
    }).catch((error: unknown) => {
      throw refusedFor(voucher, error);
    });
    if (received === again) return again;
    rewards.push(received);
  }
  checkApart(plan, rewards);
  return rewards;
}
