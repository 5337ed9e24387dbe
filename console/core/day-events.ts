import { hourIn } from './days.ts';
import type { Redemption } from './redemption.ts';

/** Turns the list of redemptions into figures, as reports count them (docs/reports.md). */

/** A record's contribution to the figures at its moment. A rollback subtracts what its redemption added. */
export interface DayEvent {
  /** Is the hour of the project's zone. */
  readonly hour: string;
  readonly uses: number;
  readonly rollbacks: number;
  readonly discount: number;
  readonly turnover: number;
  readonly refusals: number;
  readonly campaignId?: string | undefined;
  readonly reason?: string | undefined;
}

/** Returns whether the record represents several redemptions, which are also in the list. */
export const isParent = ({ related_object_type: type }: Redemption) => type === 'redemption';

/**
 * Returns the discount of a redemption. Credits and points are payments, and a checkout's own record repeats its parts.
 */
export function discountOf(one: Redemption): number {
  const isPaid = Boolean(one.gift?.amount) || Boolean(one.loyalty_card?.points);
  return isPaid || isParent(one) ? 0 : (one.order?.total_applied_discount_amount ?? 0);
}

const nothing = { uses: 0, rollbacks: 0, discount: 0, turnover: 0, refusals: 0 };

type Figures = Pick<DayEvent, 'uses' | 'discount' | 'turnover'>;

function figuresOf(one: Redemption): Figures {
  const isPart = one.object === 'redemption' && one.redemption !== null;
  // The parts of a checkout share its order, so that the whole checkout alone has a turnover.
  const turnover = isPart ? 0 : (one.order?.total_amount ?? 0);
  return { uses: isParent(one) ? 0 : 1, discount: discountOf(one), turnover };
}

const campaignOf = ({ voucher, promotion_tier: tier }: Redemption) =>
  voucher?.campaign_id ?? tier?.campaign_id ?? undefined;

/** Returns the figures of a record. A rollback needs the redemption that it took back. */
export function toEvent(one: Redemption, original: Redemption | undefined, timezone: string): DayEvent {
  const at = { ...nothing, hour: hourIn(Date.parse(one.date), timezone), campaignId: campaignOf(one) };
  const isRollback = one.object === 'redemption_rollback';
  if (one.result === 'FAILURE') return isRollback ? at : { ...at, refusals: 1, reason: one.failure_code };
  if (!isRollback) return { ...at, ...figuresOf(one) };
  if (!original) return at;
  const { uses, discount, turnover } = figuresOf(original);
  return { ...at, uses: -uses, rollbacks: uses, discount: -discount, turnover: -turnover };
}

export type Sums = Omit<DayEvent, 'hour' | 'campaignId' | 'reason'>;

export function sumEvents(events: readonly DayEvent[]): Sums {
  return events.reduce<Sums>(
    (sum, one) => ({
      uses: sum.uses + one.uses,
      rollbacks: sum.rollbacks + one.rollbacks,
      discount: sum.discount + one.discount,
      turnover: sum.turnover + one.turnover,
      refusals: sum.refusals + one.refusals,
    }),
    nothing,
  );
}
