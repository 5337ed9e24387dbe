import { at, portion, total } from './exact.ts';
import type { ValuedLine } from './sale.ts';

/** The figures of the first units of a line. */
export interface Figures {
  quantity: bigint;
  amount: bigint;
  discount: bigint;
  share: bigint;
  net: bigint;
  /** In the order of redemption. */
  paid: readonly bigint[];
}

/** Splits a part of a line's net value over its payments. The remainder is money. */
function splitNet({ net, paid }: Pick<ValuedLine, 'net' | 'paid'>, part: bigint): bigint[] {
  let whole = net;
  let left = part;
  return paid.map((sum) => {
    const here = portion(sum, left, whole);
    whole -= sum;
    left -= here;
    return here;
  });
}

export function firstUnits(line: ValuedLine, quantity: bigint): Figures {
  const amount = portion(line.amount, quantity, line.quantity);
  const discount = portion(line.discount, amount, line.amount);
  const share = portion(total(line.shares), amount - discount, line.amount - line.discount);
  const net = amount - discount - share;
  return { quantity, amount, discount, share, net, paid: splitNet(line, net) };
}

/** Returns the figures of the first minor units of an order without lines. Their amount has its part of the discounts. */
export function firstNet(line: ValuedLine, net: bigint): Figures {
  const share = portion(total(line.shares), net, line.net);
  return { quantity: 0n, amount: net + share, discount: 0n, share, net, paid: splitNet(line, net) };
}

export function difference(more: Figures, less: Figures): Figures {
  return {
    quantity: more.quantity - less.quantity,
    amount: more.amount - less.amount,
    discount: more.discount - less.discount,
    share: more.share - less.share,
    net: more.net - less.net,
    paid: more.paid.map((sum, place) => sum - at(less.paid, place)),
  };
}
