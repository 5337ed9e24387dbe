import { addUp } from '#kernel/core/sum.ts';
import { toOrder } from '../orders/resource.ts';
import { leavesOf, type ReturnPlan } from './plan-return.ts';
import type { ReturnItem, ReturnReply } from './resource.ts';

/** Shows what a return does. */

type Shown = Pick<ReturnItem, 'items' | 'refund' | 'reclaimed' | 'earned_points' | 'rolled_back' | 'notes'>;

/** Returns the fields of the return that follow from its plan. */
export function showPlan({ sold, refund, payments, earned, rolledBack, notes }: ReturnPlan): Shown {
  const cardOf = ({ payment: { record } }: ReturnPlan['payments'][number]) => ({
    voucher_id: record.related_object_id ?? '',
    code: record.voucher_code ?? '',
    redemption_id: record.id,
  });
  const gone = (isGone: boolean) => (isGone ? { note: 'card_deleted' as const } : {});
  const ofKind = (kind: 'credits' | 'points') => payments.filter(({ payment }) => payment.kind === kind);
  return {
    items: refund.lines.map(({ index, units, amount, discount, share, net }) => {
      const line = sold.lines[index];
      // An order without lines has no units.
      const quantity = line?.isByValue ? 0 : units;
      return { id: line?.id ?? '', quantity, amount, discount, order_discount_share: share, net };
    }),
    refund: {
      total: refund.total,
      money: refund.money + addUp(payments, ({ amount, isGone }) => (isGone ? amount : 0)),
      credits: ofKind('credits').map((one) => ({
        ...cardOf(one),
        amount: one.isGone ? 0 : one.amount,
        ...gone(one.isGone),
      })),
      points: ofKind('points').map((one) => ({
        ...cardOf(one),
        points: one.isGone ? 0 : one.points,
        worth: one.isGone ? 0 : one.amount,
        ...gone(one.isGone),
      })),
    },
    ...(refund.reclaimed > 0 ? { reclaimed: refund.reclaimed } : {}),
    earned_points: earned.taken.map(({ card, voucher_id, points, pending, lots, missing }) => ({
      voucher_id,
      code: card?.item.code ?? '',
      points,
      taken_from: { pending: addUp(pending, ({ by }) => by), balance: addUp(lots, (lot) => lot.points) },
      missing,
    })),
    rolled_back: rolledBack.flatMap((one) =>
      one.children.length > 0 ? [...leavesOf(one).map(({ id }) => id), one.record.id] : [one.record.id],
    ),
    ...(notes.length > 0 ? { notes: [...notes] } : {}),
  };
}

/** Shows a stored return with its order. */
export function showReturn(item: ReturnItem, order: Readonly<Record<string, unknown>>): ReturnReply {
  const { revision: _, ...shown } = item;
  return { ...shown, object: 'order_return', order: toOrder(order) };
}
