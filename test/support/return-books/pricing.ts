import { at, least, portion, total } from './exact.ts';

/** Offers whose discount on any part of an order can be calculated by hand. */
export type Offer =
  | { kind: 'percent'; percent: bigint; from?: bigint }
  | { kind: 'amount'; off: bigint; from?: bigint }
  | { kind: 'three for two' };

export interface PricedLine {
  quantity: bigint;
  price: bigint;
}

/** Returns what is free of these units: the last of every three, dearest first. */
function freeOfThree(lines: readonly PricedLine[]): bigint {
  const units = lines.flatMap(({ quantity, price }) => Array.from({ length: Number(quantity) }, () => price));
  units.sort((a, b) => (a < b ? 1 : a > b ? -1 : 0));
  return total(units.filter((_, index) => index % 3 === 2));
}

/** Returns the discount of each offer in turn, on the remainder that earlier offers left. */
export function discountsOf(offers: readonly Offer[], lines: readonly PricedLine[]): bigint[] {
  let left = total(lines.map(({ quantity, price }) => quantity * price));
  return offers.map((offer) => {
    const off = discountOf(offer, lines, left);
    left -= off;
    return off;
  });
}

function discountOf(offer: Offer, lines: readonly PricedLine[], left: bigint): bigint {
  if (offer.kind === 'three for two') return least(freeOfThree(lines), left);
  if (left < (offer.from ?? 0n)) return 0n;
  return offer.kind === 'amount' ? least(offer.off, left) : portion(left, offer.percent, 100n);
}

/** Returns the function that prices what is kept of these lines. */
export function repricing(offers: readonly Offer[], prices: readonly bigint[]) {
  return (kept: readonly bigint[]) =>
    total(
      discountsOf(
        offers,
        kept.map((quantity, place) => ({ quantity, price: at(prices, place) })),
      ),
    );
}
