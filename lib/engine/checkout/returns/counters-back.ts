import { counterKey } from '#engine/rules/counter.ts';
import { scaleAmount } from '#kernel/core/money.ts';
import { addUp } from '#kernel/core/sum.ts';
import { additionKey } from '#kernel/table/addition.ts';
import { change, type Effect } from '#kernel/table/effects.ts';
import { keyText } from '#kernel/table/keys.ts';
import type { ItemKey } from '#kernel/table/kind.ts';
import type { OrderItem } from '../orders/resource.ts';
import type { ReturnedSoFar } from '../orders/returned-so-far.ts';
import type { RedemptionItem } from '../redemptions/redemption.ts';
import { figuresOf, type SoldLine } from './units.ts';

/** Lowers the limits of a campaign that count amounts. Limits that count uses wait for a rollback. */

export interface CounterBack {
  readonly key: ItemKey;
  /** The text of the key. */
  readonly text: string;
  /** The amount that all returns have subtracted. */
  readonly total: number;
  /** The amount that this return subtracts. */
  readonly by: number;
}

/** An order after the return. */
interface Returned {
  readonly item: OrderItem;
  readonly lines: readonly SoldLine[];
  readonly leaves: readonly RedemptionItem[];
  readonly soFar: ReturnedSoFar;
}

/** Returns a part of a figure by the returned amount of its line. */
function partOf(figure: number, line: SoldLine | undefined): number {
  if (!line || line.amount === 0) return 0;
  return scaleAmount(figure, figuresOf(line, line.returned).amount, line.amount);
}

/** Returns the discount of a campaign's redemptions on the returned units. */
function discountBack({ item, lines }: Returned, own: readonly RedemptionItem[]): number {
  const orders = own.flatMap(({ order }) => order ?? []);
  const ofLines = item.items.map(({ id }, index) => {
    const discount = addUp(
      orders.flatMap((one) => one.items).filter((line) => line.id === id),
      ({ applied_discount_amount = 0, applied_order_discount_share = 0 }) =>
        applied_discount_amount + applied_order_discount_share,
    );
    return { discount, line: lines[index] };
  });
  const whole = addUp(orders, (one) => one.total_applied_discount_amount);
  const rest = { discount: whole - addUp(ofLines, ({ discount }) => discount), line: lines[item.items.length] };
  return addUp([...ofLines, rest], ({ discount, line }) => partOf(Math.max(0, discount), line));
}

/** Returns the counters that the return lowers. */
export function listCountersBack(projectId: string, returned: Returned): CounterBack[] {
  const { item, lines, leaves, soFar } = returned;
  const all = leaves.flatMap(({ taken = [], date }) => taken.map((one) => ({ one, date })));
  const sold = addUp(lines, ({ amount }) => amount);
  const back = addUp(lines, (line) => figuresOf(line, line.returned).amount);
  const byCampaign = Map.groupBy(leaves, ({ related_object_parent_id: id = '' }) => id);
  return [...byCampaign].flatMap(([campaignId, own]) => {
    const subject = { redeemable: { object: 'voucher' as const, id: '' }, campaign_id: campaignId };
    const named = (name: string) => {
      const key = counterKey(projectId, name, subject, new Date(item.created_at));
      const text = key ? keyText(key) : '';
      const found = all.find(({ one }) => keyText(one) === text);
      return found ? { key: additionKey(found.one), text, count: found.one.by.count ?? 0 } : undefined;
    };
    const amount = named('campaign.orders.amount');
    const discounted = named('campaign.orders.amount_discounted');
    const totals = [
      amount && { ...amount, total: sold === 0 ? 0 : scaleAmount(amount.count, Math.min(back, sold), sold) },
      discounted && { ...discounted, total: Math.min(discounted.count, discountBack(returned, own)) },
    ];
    return totals.flatMap((one) => {
      if (!one) return [];
      const by = one.total - (soFar.counters[one.text] ?? 0);
      return by > 0 ? [{ key: one.key, text: one.text, total: one.total, by }] : [];
    });
  });
}

/** Subtracts from counters that still exist. A counter of a deleted campaign is left alone. */
export function lowerCounters(counters: readonly CounterBack[], there: ReadonlySet<string>): Effect[] {
  return counters.flatMap(({ key, text, by }) =>
    there.has(text) ? [change(key, (update) => update.whenThere().add('count', -by))] : [],
  );
}
