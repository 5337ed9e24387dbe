import type { Lot } from '#engine/ledger/lots.ts';
import { vouchers } from '#engine/vouchers/voucher.ts';
import type { Addition } from '#kernel/table/addition.ts';
import { keyText } from '#kernel/table/keys.ts';
import type { ReturnedSoFar } from '../orders/returned-so-far.ts';
import type { RedemptionItem } from './redemption.ts';

/** Takes a redemption apart: into what returns of its order gave back, and what is left. */

/** Returns some of the lots, from the first points on. */
function sliceLots(lots: readonly Lot[], from: number, points: number): Lot[] {
  let skipped = from;
  let open = points;
  return lots.flatMap(({ points: all, expires }) => {
    const behind = Math.max(0, all - skipped);
    skipped = Math.max(0, skipped - all);
    const taken = Math.min(open, behind);
    open -= taken;
    return taken > 0 ? [{ points: taken, expires }] : [];
  });
}

/** The credits and points of a redemption. */
export interface Given {
  readonly credits: number;
  readonly points: number;
  /** The points that went back before. */
  readonly pointsBefore: number;
}

function withGiven(record: RedemptionItem, { credits, points, pointsBefore }: Given): RedemptionItem {
  const { gift_credits, points: spent, lots, reward_given: given } = record;
  const part = (all: readonly Lot[]) => sliceLots(all, pointsBefore, points);
  return {
    ...record,
    ...(gift_credits === undefined ? {} : { gift_credits: credits, amount: credits }),
    ...(spent === undefined ? {} : { points, amount: points }),
    ...(lots || given ? { lots: part(lots ?? given?.spent ?? []) } : {}),
    ...(given ? { reward_given: { ...given, spent: part(given.spent) } } : {}),
  };
}

function isOfVoucher(projectId: string, { related_object_id: id = '' }: RedemptionItem): (one: Addition) => boolean {
  const key = keyText(vouchers(projectId, id));
  return (one) => keyText(one) === key;
}

/** Returns the part of a redemption that a return gives back. Its use stays. */
export function partOfRedemption(projectId: string, record: RedemptionItem, given: Given): RedemptionItem {
  const isOwn = isOfVoucher(projectId, record);
  const by = { redeemed_amount: given.credits, redeemed_points: given.points };
  const moved = Object.fromEntries(Object.entries(by).filter(([, amount]) => amount > 0));
  return {
    ...withGiven(record, given),
    taken: (record.taken ?? []).filter(isOwn).map((one) => ({ ...one, by: moved })),
    reward_given: undefined,
  };
}

/**
 * Returns the redemption for its rollback, without what returns have given back. `given` is the part that is given
 * back now.
 */
export function leftOfRedemption(
  projectId: string,
  record: RedemptionItem,
  soFar: ReturnedSoFar | null | undefined,
  given?: Given,
): RedemptionItem {
  if (!soFar) return record;
  const { gift_credits: credits = 0, points = 0, taken = [] } = record;
  const back = soFar.payments[record.id] ?? { amount: 0, points: 0 };
  const left = { credits: Math.max(0, credits - back.amount), points: Math.max(0, points - back.points) };
  const going = given ?? { ...left, pointsBefore: back.points };
  const isOwn = isOfVoucher(projectId, record);
  return {
    ...withGiven(record, going),
    taken: taken.map((one) => {
      const counted = soFar.counters[keyText(one)] ?? 0;
      const { redeemed_amount, redeemed_points, count = 0 } = one.by;
      if (isOwn(one)) {
        const less = {
          ...(redeemed_amount === undefined ? {} : { redeemed_amount: going.credits }),
          ...(redeemed_points === undefined ? {} : { redeemed_points: going.points }),
        };
        return { ...one, by: { ...one.by, ...less } };
      }
      return counted > 0 ? { ...one, by: { ...one.by, count: Math.max(0, count - counted) } } : one;
    }),
  };
}
