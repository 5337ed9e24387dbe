import type { CustomerItem } from '#engine/customers/customer.ts';
import { findCustomerById } from '#engine/customers/find-customer.ts';
import { addLot, findLiveLots, type Lot, returnLots } from '#engine/ledger/lots.ts';
import { type VoucherItem, vouchers } from '#engine/vouchers/voucher.ts';
import { formatDay } from '#kernel/core/calendar.ts';
import { ServiceError } from '#kernel/core/errors.ts';
import { addUp } from '#kernel/core/sum.ts';
import type { Writing } from '#kernel/http/context.ts';
import { read } from '#kernel/table/read.ts';
import { omitEmpty } from '../orders/line.ts';
import type { OrderItem } from '../orders/resource.ts';
import type { ReturnedSoFar } from '../orders/returned-so-far.ts';
import { partOfRedemption } from '../redemptions/part-of-redemption.ts';
import { type RedemptionItem, redemptions } from '../redemptions/redemption.ts';
import { readChildRedemptions } from '../rollbacks/rollback-checks.ts';
import { isRedeemed } from '../rollbacks/rollback-effects.ts';
import { readUnits } from './asked-units.ts';
import { type CounterBack, listCountersBack } from './counters-back.ts';
import { type EarnedBack, readEarnedBack } from './earned.ts';
import { computeRefund, isNothingKept, pointsBack, type Refund, type Units } from './refund.ts';
import { reprice } from './reprice.ts';
import type { AskedReturn } from './return-body.ts';
import { type PaidBy, readSoldOrder, restId, type SoldOrder } from './sold-order.ts';
import { figuresOf } from './units.ts';

/** Decides what a return does, and changes nothing. */

/** A redemption of the order that was not rolled back: its record and its children. */
export interface OpenRedemption {
  readonly record: RedemptionItem;
  readonly children: readonly RedemptionItem[];
}

/** The part of a payment that is given back. */
export interface PaymentBack {
  readonly payment: PaidBy;
  readonly amount: number;
  readonly points: number;
  readonly pointsBefore: number;
  /** True if the card was deleted. Then its amount is refunded in money. */
  readonly isGone: boolean;
}

export interface ReturnPlan {
  readonly order: OrderItem;
  readonly customer: CustomerItem | undefined;
  readonly open: readonly OpenRedemption[];
  readonly sold: SoldOrder;
  readonly refund: Refund;
  readonly payments: readonly PaymentBack[];
  readonly earned: EarnedBack;
  readonly counters: readonly CounterBack[];
  /** The redemptions that the return rolls back. */
  readonly rolledBack: readonly OpenRedemption[];
  /** Names rules whose facts at the redemption are unknown. */
  readonly notes: readonly string[];
  /** The order after the return, without notes of rollbacks. */
  readonly next: OrderItem;
}

/** Reads the redemptions of an order that were not rolled back, in their order. 400 if the record of one is no longer stored. */
async function readOpen(context: Writing, item: OrderItem): Promise<OpenRedemption[]> {
  const { table, project } = context;
  const ids = Object.entries(item.redemptions).flatMap(([id, { rollback_id }]) =>
    rollback_id === undefined ? [id] : [],
  );
  const { found } = await read(table, { found: ids.map((id) => redemptions(project.id, id)) });
  const missing = ids.find((_, index) => found[index] === undefined);
  if (missing !== undefined) {
    throw new ServiceError('invalid_redemption', {
      details: `the record of the redemption ${missing} is no longer stored, so its part of the order is unknown: send the refund by hand`,
      resource: { id: missing, type: 'redemption' },
    });
  }
  const records = found.filter((one) => one !== undefined).filter(({ status }) => status === 'SUCCEEDED');
  const sorted = records.toSorted((one, other) => (`${one.date} ${one.id}` < `${other.date} ${other.id}` ? -1 : 1));
  return Promise.all(
    sorted.map(async (record) => ({
      record,
      children: record.redemptions ? await readChildRedemptions(context, record.id, record.redemptions) : [],
    })),
  );
}

export const leavesOf = ({ record, children }: OpenRedemption) => (children.length > 0 ? children : [record]);

/** Refuses an order that rollbacks have taken back. An order that returns have taken back has no units left. */
function checkOpen(item: OrderItem, open: readonly OpenRedemption[], sold: SoldOrder): void {
  const had = Object.keys(item.redemptions).length > 0;
  if (item.status !== 'CANCELED' || !had || open.length > 0 || isNothingKept(sold, new Map())) return;
  throw new ServiceError('order_canceled', {
    details: 'the redemptions of the order were rolled back, so it has nothing left to return',
    resource: { id: item.id, type: 'order' },
  });
}

/** Returns the parts of payments, by their own cards. */
async function readPayments(
  { table, project }: Writing,
  { payments, soFar }: SoldOrder,
  refund: Refund,
): Promise<(PaymentBack & { readonly card: VoucherItem | undefined })[]> {
  const { cards } = await read(table, {
    cards: payments.map(({ record }) => vouchers(project.id, record.related_object_id ?? '')),
  });
  return payments.flatMap((payment, place) => {
    const amount = refund.payments[place] ?? 0;
    if (amount === 0) return [];
    const card = cards[place];
    const { points: spent = 0 } = payment.record;
    const pointsBefore = soFar.payments[payment.id]?.points ?? 0;
    const points = payment.kind === 'credits' ? 0 : pointsBack({ points: spent, ...payment }, amount, pointsBefore);
    return [{ payment, amount, points, pointsBefore, card, isGone: !card || !isRedeemed(card, payment.record) }];
  });
}

/** Returns the lots of a card after the refunds of this return. */
function lotsAfter(
  projectId: string,
  payments: readonly (PaymentBack & { readonly card: VoucherItem | undefined })[],
  now: Date,
): (cardId: string) => readonly Lot[] | undefined {
  const today = formatDay(now);
  return (cardId) => {
    const own = payments.filter(({ card, points, isGone }) => card?.id === cardId && points > 0 && !isGone);
    const [first] = own;
    if (!first?.card) return undefined;
    const back = own.flatMap(({ payment, points, pointsBefore }) => {
      const { lots } = partOfRedemption(projectId, payment.record, { credits: 0, points, pointsBefore });
      return lots ? returnLots(lots, today) : [{ points, expires: null }];
    });
    return back.reduce<Lot[]>(addLot, findLiveLots(first.card.lots, today));
  };
}

function lostBy({ id, returned }: SoldOrder['lines'][number], more: number, amount: number) {
  return amount > 0 ? [{ line: id, after: returned + more, amount }] : [];
}

/** Returns the order after the return: its figures stay as sold, and lines say what was returned. */
function nextOrder(
  item: OrderItem,
  sold: SoldOrder,
  units: Units,
  {
    refund,
    payments,
    counters,
    earned,
    money,
    lost,
    isCanceled,
  }: Pick<ReturnPlan, 'refund' | 'earned' | 'counters'> & {
    readonly payments: readonly PaymentBack[];
    readonly money: number;
    /** The discounts that the kept lines lose. */
    readonly lost: readonly number[];
    readonly isCanceled: boolean;
  },
): OrderItem {
  const { soFar, lines } = sold;
  const items = item.items.map((line, index) => {
    const own = lines[index];
    const more = units.get(index) ?? 0;
    if (!own || more === 0) return line;
    const returned = own.returned + more;
    return { ...line, returned_quantity: returned, returned_amount: figuresOf(own, returned).amount };
  });
  const restIndex = lines.findIndex(({ id }) => id === restId);
  const paid = payments.map(({ payment: { id }, amount, points }) => {
    const before = soFar.payments[id] ?? { amount: 0, points: 0 };
    return [id, { amount: before.amount + amount, points: before.points + points }] as const;
  });
  const counted = counters.map(({ text, total }) => [text, total] as const);
  const returned: ReturnedSoFar = {
    count: soFar.count + 1,
    money: soFar.money + refund.money,
    paid_back: soFar.paid_back + money,
    is_even: refund.isEven,
    rest: soFar.rest + (units.get(restIndex) ?? 0),
    payments: { ...soFar.payments, ...Object.fromEntries(paid) },
    lost: [...soFar.lost, ...lines.flatMap((line, index) => lostBy(line, units.get(index) ?? 0, lost[index] ?? 0))],
    counters: { ...soFar.counters, ...Object.fromEntries(counted) },
  };
  return {
    ...item,
    items,
    ...(isCanceled ? { status: 'CANCELED' as const } : {}),
    ...omitEmpty({ refunded_amount: (item.refunded_amount ?? 0) + refund.total }),
    returned,
    ...(item.earned ? { earned: [...earned.notes] } : {}),
  };
}

const noPoints: EarnedBack = { taken: [], notes: [] };

/** Plans the return. 400 for unknown lines, more than is left, or an order without anything left. */
export async function planReturn(context: Writing, item: OrderItem, asked: AskedReturn): Promise<ReturnPlan> {
  const { project, now } = context;
  const { options } = asked;
  const [open, customer] = await Promise.all([
    readOpen(context, item),
    item.customer_id ? findCustomerById(context, item.customer_id) : undefined,
  ]);
  const leaves = open.flatMap(leavesOf);
  const sold = readSoldOrder(item, leaves);
  checkOpen(item, open, sold);
  const units = readUnits(asked, item, sold);
  const repriced =
    options.kept_lines === 'REPRICE' ? await reprice(context, item, { sold, units, leaves, customer }) : undefined;
  const refund = computeRefund(sold, units, options.refund_to, repriced?.loss ?? 0);
  const lost = repriced?.shareLoss(refund.reclaimed) ?? [];
  const payments = await readPayments(context, sold, refund);
  const money = refund.money + addUp(payments, ({ amount, isGone }) => (isGone ? amount : 0));
  const nothingKept = isNothingKept(sold, units);
  const lines = sold.lines.map((line, index) => ({ ...line, returned: line.returned + (units.get(index) ?? 0) }));
  const refundedMoney = sold.soFar.paid_back + money;
  const after = { item, lines, refundedMoney, isNothingKept: nothingKept };
  const earned =
    options.earned_points === 'KEEP'
      ? { ...noPoints, notes: item.earned ?? [] }
      : await readEarnedBack(context, after, customer, lotsAfter(project.id, payments, now));
  const counters = listCountersBack(project.id, { item, lines, leaves, soFar: sold.soFar });
  const next = nextOrder(item, sold, units, {
    ...{ refund, payments, counters, earned, money, lost, isCanceled: nothingKept },
  });
  const rolledBack = nothingKept && options.uses === 'RETURN' ? open : [];
  return {
    order: item,
    customer,
    open,
    sold,
    refund,
    payments,
    earned,
    counters,
    rolledBack,
    notes: repriced?.notes ?? [],
    next,
  };
}
