import * as v from 'valibot';
import { briefCustomer, presentBriefly } from '#engine/customers/brief-customer.ts';
import { type CustomerItem, customers } from '#engine/customers/customer.ts';
import { type MemberPath, memberOr404 } from '#engine/loyalty/member-path.ts';
import { type RewardItem, rewards } from '#engine/loyalty/reward.ts';
import { missingReward } from '#engine/loyalty/rewards/find-reward.ts';
import { partialVoucher } from '#engine/vouchers/voucher.ts';
import { named } from '#kernel/core/documented.ts';
import { notFound, ServiceError } from '#kernel/core/errors.ts';
import { nullable, object, wrapList } from '#kernel/core/schema.ts';
import { read } from '#kernel/table/read.ts';
import { checkoutFields, readAsked, sentReward } from '../request/checkout-body.ts';
import { scopeList } from '../request/shown-redeemable.ts';
import { mustHold } from '../request/state-refusal.ts';
import type { Redeeming } from './plan.ts';
import { redemption } from './present-redemption.ts';
import { redeem } from './redeem.ts';
import { redeemErrors } from './redeem-errors.ts';
import { showEach } from './show-redeemed.ts';

const { order, metadata } = checkoutFields;

export const memberRewardBody = object({ reward: nullable(sentReward), order, metadata });

type Body = v.InferOutput<typeof memberRewardBody>;

export const memberRewardErrors = [...redeemErrors, 'duplicate_found', 'invalid_redeemables'] as const;

/** A redemption with its card and the card's holder. It is limited to no products. */
export const memberRedemption = named(
  'MemberRedemption',
  v.object({
    ...redemption.entries,
    voucher: v.object({
      ...partialVoucher.entries,
      holder: briefCustomer,
      applicable_to: scopeList,
      inapplicable_to: scopeList,
    }),
  }),
);

function isNamed({ order: sent }: Body, { id, source_id }: CustomerItem): boolean {
  const { customer, customer_id } = sent ?? {};
  const named = customer?.id ?? customer_id ?? undefined;
  if (named !== undefined) return named === id;
  return !customer?.source_id || customer.source_id === source_id;
}

/** Refuses requests that no redemption can fulfil. */
function* faults(body: Body, { type }: RewardItem, holder: CustomerItem): Generator<ServiceError> {
  if (type === 'COIN' && !body.order) {
    yield new ServiceError('missing_order', { details: 'order is required, because a COIN reward pays for an order' });
  }
  if (!isNamed(body, holder)) {
    yield new ServiceError('invalid_customer', {
      details: 'order.customer does not hold the loyalty card',
      text: mustHold,
    });
  }
}

/** Redeems a member's card for one reward, in the name of its holder. */
export async function redeemMemberReward(context: Redeeming, path: MemberPath, body: Body) {
  const { table, project } = context;
  const { code, holder_id } = await memberOr404(context, path);
  const rewardId = body.reward?.id;
  if (!rewardId) throw new ServiceError('missing_reward', { details: missingReward });
  const { reward, holder } = await read(table, {
    reward: rewards(project.id, rewardId),
    holder: holder_id ? customers(project.id, holder_id) : undefined,
  });
  if (!reward) throw notFound('reward', rewardId);
  if (!holder) {
    const resource = { id: code, type: 'voucher' };
    throw new ServiceError('not_published', { details: 'the loyalty card has no holder', resource });
  }
  for (const fault of faults(body, reward, holder)) throw fault;
  const asked = readAsked({ ...body, redeemables: [{ object: 'voucher', id: code, reward: body.reward }] });
  const customer = { data: { id: holder.id }, place: 'order.customer.' };
  const [shown] = await redeem(context, { ...asked, customer, onlyOrderOf: holder.id }, (done) =>
    showEach(context, done),
  );
  const whole = shown?.voucher;
  if (!whole || !('loyalty_card' in whole)) throw new Error('a redemption is not shown with its card');
  const scopes = { applicable_to: wrapList([]), inapplicable_to: wrapList([]) };
  return { ...shown, voucher: { ...whole, holder: presentBriefly(holder), ...scopes } };
}
