import { findProgrammes } from '#engine/campaigns/programme.ts';
import type { CustomerItem } from '#engine/customers/customer.ts';
import { compareLots, findLastGoodDay, findLiveLots, type Lot, sumPoints } from '#engine/ledger/lots.ts';
import { type PendingPointsItem, pendingPoints } from '#engine/ledger/pending-points.ts';
import { type EarnedNote, earnAgain, listNotedCollections } from '#engine/loyalty/earned-points.ts';
import type { MemberCard } from '#engine/vouchers/member-card.ts';
import { vouchers } from '#engine/vouchers/voucher.ts';
import { formatDay } from '#kernel/core/calendar.ts';
import { addUp } from '#kernel/core/sum.ts';
import type { Reading } from '#kernel/http/context.ts';
import { read, readChildren } from '#kernel/table/read.ts';
import { addCollections } from '../orders/next-order.ts';
import type { OrderItem } from '../orders/resource.ts';
import { figuresOf, type SoldLine } from './units.ts';

/** Finds the earned points that an order no longer earns, and where the card still has them (docs/returns.md#earned). */

/** The points that a return takes from one card. */
export interface TakenPoints {
  /** Absent if the card was deleted. */
  readonly card: MemberCard | undefined;
  readonly voucher_id: string;
  readonly points: number;
  /** The pending points of the order, and how many of each are taken. */
  readonly pending: readonly { readonly item: PendingPointsItem; readonly by: number }[];
  readonly lots: readonly Lot[];
  readonly missing: number;
}

/** Returns the order as if only the kept units had been sold. */
function keptOrder(item: OrderItem, lines: readonly SoldLine[], refundedMoney: number): OrderItem {
  const back = lines.map((line) => figuresOf(line, line.returned));
  const less = (value: number | null | undefined, by: number) => (value == null ? {} : Math.max(0, value - by));
  const amount = addUp(back, (one) => one.amount);
  const items = item.items.map((line, index) => {
    const { amount: off = 0, discount = 0 } = back[index] ?? {};
    const quantity = Math.max(0, line.quantity - (lines[index]?.returned ?? 0));
    return {
      ...line,
      quantity,
      ...(line.discount_quantity === undefined
        ? {}
        : { discount_quantity: Math.min(line.discount_quantity, quantity) }),
      ...(line.amount === undefined ? {} : { amount: Math.max(0, line.amount - off) }),
      ...(line.subtotal_amount === undefined
        ? {}
        : { subtotal_amount: Math.max(0, line.subtotal_amount - (off - discount)) }),
    };
  });
  return {
    ...item,
    items: items.filter(({ quantity }) => quantity > 0),
    ...(item.amount == null ? {} : { amount: Number(less(item.amount, amount)) }),
    ...(item.initial_amount == null ? {} : { initial_amount: Number(less(item.initial_amount, amount)) }),
    ...(item.total_amount == null ? {} : { total_amount: Number(less(item.total_amount, refundedMoney)) }),
  };
}

/** The order after the return. */
export interface AfterReturn {
  readonly item: OrderItem;
  readonly lines: readonly SoldLine[];
  /** The money of all returns. */
  readonly refundedMoney: number;
  readonly isNothingKept: boolean;
}

/** Returns the points of each note that the order no longer earns, and that no return has asked back. */
async function listDue(
  context: Reading,
  notes: readonly EarnedNote[],
  customer: CustomerItem | undefined,
  { item, lines, refundedMoney, isNothingKept }: AfterReturn,
): Promise<number[]> {
  const open = notes.map(({ points, returned = 0 }) => points - returned);
  if (isNothingKept) return open;
  const order = keptOrder(item, lines, refundedMoney);
  const items = await addCollections(context, order.items, listNotedCollections(notes));
  const of = { customerMetadata: customer?.metadata ?? {}, customerBirthdate: customer?.birthdate };
  const at = item.paid_at === undefined ? context.now : new Date(item.paid_at ?? context.now);
  const earned = await earnAgain(context, notes, { ...of, order: { ...order, items } }, at);
  return notes.map(({ points, returned = 0 }, index) => Math.max(0, points - returned - (earned[index] ?? 0)));
}

/** Orders lots by what is taken first: the order's own, then those that expire last. */
function inTurn(lots: readonly Lot[], own: ReadonlySet<string | null>): Lot[] {
  const isOwn = ({ expires }: Lot) => (own.has(expires) ? 0 : 1);
  return lots.toSorted((one, other) => isOwn(one) - isOwn(other) || compareLots(other, one));
}

function takeLots(lots: readonly Lot[], points: number): Lot[] {
  let open = points;
  return lots.flatMap(({ points: there, expires }) => {
    const taken = Math.min(open, there);
    open -= taken;
    return taken > 0 ? [{ points: taken, expires }] : [];
  });
}

interface Due {
  readonly note: EarnedNote;
  readonly points: number;
}

/** Returns the last days of the points that the order made on the card. */
function ownDays({ programme }: MemberCard, due: readonly Due[], made: readonly PendingPointsItem[]) {
  const rules = programme?.campaign.voucher?.loyalty_card?.expiration_rules;
  const activated = made.flatMap(({ state, updated_at, expiration_rules }) =>
    state === 'ACTIVATED' && updated_at
      ? [findLastGoodDay(expiration_rules ?? rules, formatDay(new Date(updated_at)))]
      : [],
  );
  return new Set([...due.flatMap(({ note }) => (note.expires === undefined ? [] : [note.expires])), ...activated]);
}

/**
 * Takes points of one card: pending points of the same rule first, then lots. `lots` are those after refunds of the
 * same return.
 */
function takeFrom(
  card: MemberCard,
  due: readonly Due[],
  made: readonly PendingPointsItem[],
  lots: readonly Lot[],
): TakenPoints {
  const pending: { item: PendingPointsItem; by: number }[] = [];
  let open = 0;
  for (const { note, points } of due) {
    let left = points;
    for (const item of made) {
      if (item.state !== 'PENDING' || item.earning_rule_id !== note.rule_id) continue;
      const by = Math.min(left, item.points);
      if (by > 0) pending.push({ item, by });
      left -= by;
    }
    open += left;
  }
  const taken = takeLots(inTurn(lots, ownDays(card, due, made)), open);
  return {
    card,
    voucher_id: card.item.id,
    points: addUp(due, ({ points }) => points),
    pending,
    lots: taken,
    missing: open - sumPoints(taken),
  };
}

export interface EarnedBack {
  readonly taken: readonly TakenPoints[];
  /** The notes of the order after the return. */
  readonly notes: readonly EarnedNote[];
}

/** Reads which earned points the return takes back. `lotsOf` returns the lots that the card has after refunds of the same return. */
export async function readEarnedBack(
  context: Reading,
  after: AfterReturn,
  customer: CustomerItem | undefined,
  lotsOf: (cardId: string) => readonly Lot[] | undefined,
): Promise<EarnedBack> {
  const { table, project, now } = context;
  const notes = after.item.earned ?? [];
  if (notes.length === 0) return { taken: [], notes };
  const points = await listDue(context, notes, customer, after);
  const due = notes.map((note, index) => ({ note, points: points[index] ?? 0 }));
  const byCard = Map.groupBy(
    due.filter((one) => one.points > 0),
    ({ note }) => note.voucher_id,
  );
  const ids = [...byCard.keys()];
  const { items } = await read(table, { items: ids.map((id) => vouchers(project.id, id)) });
  const programmes = await findProgrammes(
    context,
    items.flatMap((item) => (item?.campaign_id ? [item.campaign_id] : [])),
  );
  const today = formatDay(now);
  const taken = ids.map(async (id, index): Promise<TakenPoints> => {
    const own = byCard.get(id) ?? [];
    const item = items[index];
    const all = addUp(own, (one) => one.points);
    if (item?.type !== 'LOYALTY_CARD')
      return { card: undefined, voucher_id: id, points: all, pending: [], lots: [], missing: all };
    const waiting = await readChildren(table, pendingPoints, project.id, id);
    const made = waiting.filter(({ order }) => order?.id === after.item.id);
    const card = { item, programme: programmes.get(item.campaign_id ?? '') };
    return takeFrom(card, own, made, lotsOf(id) ?? findLiveLots(item.lots, today));
  });
  return {
    taken: await Promise.all(taken),
    notes: due.map(({ note, points: by }) => (by > 0 ? { ...note, returned: (note.returned ?? 0) + by } : note)),
  };
}
