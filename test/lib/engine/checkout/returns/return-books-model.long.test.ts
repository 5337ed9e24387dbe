import { expect, test } from 'vitest';
import { at, total } from '../../../../support/return-books/exact.ts';
import { drawReturn, drawSale } from '../../../../support/return-books/random-sales.ts';
import { ReturnBook, type Returned } from '../../../../support/return-books/return-book.ts';
import { paymentsOf, type Sale } from '../../../../support/return-books/sale.ts';
import { difference, type Figures, firstUnits } from '../../../../support/return-books/units.ts';
import { seeded } from '../../../../support/seeded.ts';

const orders = 10_000;
/** `MODEL_SEED` sets another seed. */
const seed = Number(process.env.MODEL_SEED ?? 20_261_128);

function figuresOf({ items, refund, reclaimed }: Returned): bigint[] {
  return [
    ...[refund.total, refund.money, reclaimed],
    ...refund.credits.map(({ amount }) => amount),
    ...refund.points.flatMap(({ points, worth }) => [points, worth]),
    ...items.flatMap(({ quantity, amount, discount, share, net, paid }) => [
      ...[quantity, amount, discount, share, net],
      ...paid,
    ]),
  ];
}

/** Checks that all returns of an order sum to what was sold and paid. */
function expectWhole(sale: Sale, book: ReturnBook, all: readonly Returned[]): void {
  const payments = paymentsOf(sale);
  const { net } = book;
  const paid = total(payments.map(({ worth }) => worth));
  expect(total(all.map(({ refund }) => refund.total))).toBe(net);
  expect(total(all.map(({ refund }) => refund.money))).toBe(net - paid);
  const ofCards = (kind: 'credits' | 'points') => payments.filter((payment) => payment.kind === kind);
  for (const [place, { worth }] of ofCards('credits').entries())
    expect(total(all.map(({ refund }) => at(refund.credits, place).amount))).toBe(worth);
  for (const [place, { worth, charged }] of ofCards('points').entries()) {
    expect(total(all.map(({ refund }) => at(refund.points, place).worth))).toBe(worth);
    expect(total(all.map(({ refund }) => at(refund.points, place).points))).toBe(charged);
  }
  for (const line of book.hasLines ? book.lines : []) {
    const ofLine = all.flatMap(({ items }) => items.filter(({ id }) => id === line.id));
    const sum = (figure: (one: Figures) => bigint) => total(ofLine.map(figure));
    expect([sum(({ amount }) => amount), sum(({ discount }) => discount)]).toEqual([line.amount, line.discount]);
    expect([sum(({ share }) => share), sum((one) => one.net)]).toEqual([total(line.shares), line.net]);
  }
}

test(`the returns of ${orders} random orders sum to their net value and payments, and no figure is below 0`, () => {
  const draw = seeded(seed);
  for (let round = 0; round < orders; round++) {
    const sale = drawSale(draw);
    const book = new ReturnBook(sale);
    const coupons = sale.redeemed.filter(({ kind }) => kind === 'coupon').length;
    for (const { shares, net, paid } of book.lines)
      expect([shares.length, net >= total(paid)]).toEqual([coupons, true]);
    const all: Returned[] = [];
    for (let asked = drawReturn(draw, book); asked; asked = drawReturn(draw, book)) {
      const answer = book.take(asked);
      if ('refused' in answer) throw new Error(`order ${round} of seed ${seed} is refused: ${answer.refused}`);
      all.push(answer.returned);
    }
    const figures = all.flatMap(figuresOf);
    expect(figures.filter((figure) => figure < 0n || figure > BigInt(Number.MAX_SAFE_INTEGER))).toEqual([]);
    for (const { refund, items, reclaimed } of all) {
      const ofCards = [...refund.credits.map(({ amount }) => amount), ...refund.points.map(({ worth }) => worth)];
      expect(refund.money + total(ofCards)).toBe(refund.total);
      if (book.hasLines) expect(total(items.map(({ net }) => net)) - reclaimed).toBe(refund.total);
    }
    if (book.left().every((count) => count === 0n)) expectWhole(sale, book, all);
    expect(all.filter(({ isNothingKept }) => isNothingKept).length).toBeLessThanOrEqual(1);
  }
});

test('units returned one by one come to as much as units returned together', () => {
  const draw = seeded(seed + 1);
  for (let round = 0; round < orders / 10; round++) {
    for (const line of new ReturnBook(drawSale(draw)).lines.slice(0, 6)) {
      const steps = Array.from({ length: Number(line.quantity) }, (_, unit) =>
        difference(firstUnits(line, BigInt(unit + 1)), firstUnits(line, BigInt(unit))),
      );
      const whole = firstUnits(line, line.quantity);
      expect(total(steps.map(({ net }) => net))).toBe(whole.net);
      expect(whole).toEqual({
        ...{ quantity: line.quantity, amount: line.amount, discount: line.discount },
        ...{ share: total(line.shares), net: line.net, paid: line.paid },
      });
      expect(steps.flatMap(({ paid, net, share }) => [...paid, net, share]).filter((one) => one < 0n)).toEqual([]);
    }
  }
});
