import type { CampaignCounts } from '#engine/campaigns/counters.ts';
import { customers } from '#engine/customers/customer.ts';
import type { RedemptionFigures } from '#engine/customers/customer-figures.ts';
import { change, type Effect, insert } from '#kernel/table/effects.ts';
import { packLines } from '../orders/resource.ts';
import { placeRedemption, type RedemptionItem, redemptions } from './redemption.ts';

type Moves<F> = Readonly<Partial<Record<keyof F, number>>>;

function sumOf(all: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sum: Record<string, number> = {};
  for (const [name, by] of all.flatMap((moves) => Object.entries(moves))) sum[name] = (sum[name] ?? 0) + by;
  return sum;
}

/** Returns whether the record is counted. A parent is counted by its children. */
function isCounted({ redemptions }: RedemptionItem): boolean {
  return redemptions === undefined;
}

function ofCustomer(item: RedemptionItem): Moves<RedemptionFigures> {
  const { object, result, gift_credits, points } = item;
  const isRollback = object === 'redemption_rollback';
  if (result === 'FAILURE') return isRollback ? { rollbacks_failed: 1 } : { redemptions_failed: 1 };
  const isOfCard = gift_credits !== undefined || points !== undefined;
  return {
    ...(isRollback ? { rollbacks_succeeded: 1 } : { redemptions_succeeded: 1 }),
    // A rollback has negative amounts.
    credits_redeemed: gift_credits ?? 0,
    points_redeemed: points ?? 0,
    cards_redeemed: isOfCard ? (isRollback ? -1 : 1) : 0,
  };
}

function ofCampaign({ object, result, gift_credits = 0, points = 0, order }: RedemptionItem): Moves<CampaignCounts> {
  const isRollback = object === 'redemption_rollback';
  if (result === 'FAILURE') return isRollback ? { rollbacks_failed: 1 } : { redemptions_failed: 1 };
  const discounted = gift_credits === 0 && points === 0 ? (order?.total_applied_discount_amount ?? 0) : 0;
  return isRollback
    ? {
        rollbacks_succeeded: 1,
        rolledback_discounted_amount: discounted,
        amount_rolledback: -gift_credits,
        points_rolledback: -points,
      }
    : {
        redemptions_succeeded: 1,
        discounted_amount: discounted,
        amount_redeemed: gift_credits,
        points_redeemed: points,
      };
}

/** Counts the order's amount once for all redemptions of the campaign with the order. */
function ofOrder([first]: readonly RedemptionItem[]): Moves<CampaignCounts> {
  if (first?.result !== 'SUCCESS' || first.order?.amount === undefined) return {};
  const { amount } = first.order;
  return first.object === 'redemption_rollback' ? { orders_rolledback_amount: amount } : { orders_amount: amount };
}

/** Returns the counts of each redemption in a request for its campaign, by id. */
function campaignFigures(items: readonly RedemptionItem[]): ReadonlyMap<string, Moves<CampaignCounts>> {
  const ofCampaigns = items.filter((item) => isCounted(item) && item.related_object_parent_id !== undefined);
  const byCampaign = Map.groupBy(ofCampaigns, (item) => item.related_object_parent_id);
  const figures = [...byCampaign.values()].flatMap((own) =>
    own.map((item, index) => {
      const sum = sumOf([ofCampaign(item), index === 0 ? ofOrder(own) : {}]);
      return [item.id, Object.fromEntries(Object.entries(sum).filter(([, by]) => by !== 0))] as const;
    }),
  );
  return new Map(figures);
}

/**
 * Stores redemptions or rollbacks of one request in their lists, each with its counts for the campaign. The stream
 * adds the counts (`lib/engine/campaigns/count-records.ts`), because all redemptions of a sale would conflict on the
 * campaign's counters. `counted` are the records to count, if they differ from the stored records.
 */
export function keepRecords(
  projectId: string,
  items: readonly RedemptionItem[],
  counted: readonly RedemptionItem[] = items,
): Effect[] {
  const all = campaignFigures(counted);
  return items.map((item) => {
    const figures = all.get(item.id);
    const places = placeRedemption(projectId, item);
    const order = item.order && { order: packLines(item.order) };
    return insert(redemptions(projectId, item.id), { ...item, ...order, ...places, ...(figures ? { figures } : {}) });
  });
}

/**
 * Counts redemptions or rollbacks in the customer's figures, in their own transaction. The customer must exist, or be made by the
 * transaction.
 */
export function countCustomerFigures(
  projectId: string,
  customerId: string | undefined,
  items: readonly RedemptionItem[],
): Effect[] {
  const moves = sumOf(items.filter(isCounted).map(ofCustomer));
  if (customerId === undefined || Object.values(moves).every((by) => by === 0)) return [];
  return [change(customers(projectId, customerId), (update) => update.whenThere().addAll(moves))];
}
