import type { OrderLine } from '../orders/line.ts';
import type { AppliedToCart, PricedCart } from './price-cart.ts';

/** Describes a priced cart as both protocols need it. */

interface ShownCartLine {
  readonly id: string;
  readonly itemId: string;
  readonly title: string;
  readonly price: number;
  readonly quantity: number;
  readonly subtotal: number;
  readonly discount: number;
}

export interface ShownCart {
  readonly lines: readonly ShownCartLine[];
  /** The place of each of the checkout's lines. A line whose units were all replaced has none. */
  readonly places: ReadonlyMap<number, number>;
  readonly subtotal: number;
  readonly discount: number;
}

const sum = (all: readonly number[]) => all.reduce((total, one) => total + one, 0);

function describeAdded({ product_id, sku_id, product, sku }: OrderLine): { itemId: string; title: string } {
  const itemId = sku?.source_id ?? product?.source_id ?? sku_id ?? product_id ?? '';
  return { itemId, title: sku?.sku ?? product?.name ?? itemId };
}

export function buildShownCart({ cart, after, applied }: PricedCart): ShownCart {
  const places = new Map<number, number>();
  const lines = after.lines.flatMap((line, index): ShownCartLine[] => {
    if (line.quantity === 0) return [];
    places.set(index, places.size);
    const own = cart.lines[index];
    const { itemId, title } = own
      ? { itemId: own.itemId, title: own.title ?? describeAdded(line).title }
      : describeAdded(line);
    const subtotal = line.amount ?? 0;
    const isWeighed = own !== undefined && own.scale > 0 && line.quantity === 1;
    return [
      {
        id: own?.id ?? `li_${places.size}`,
        itemId,
        title: title || itemId,
        price: (isWeighed ? own.price : line.price) ?? 0,
        quantity: isWeighed ? own.quantity : line.quantity,
        subtotal,
        discount: sum(applied.map(({ parts }) => parts.get(index) ?? 0)),
      },
    ];
  });
  return {
    lines,
    places,
    subtotal: sum(lines.map((line) => line.subtotal)),
    discount: sum(lines.map((line) => line.discount)),
  };
}

export function listAllocations({ parts }: AppliedToCart, { places }: ShownCart) {
  return [...parts]
    .map(([line, amount]) => ({ place: places.get(line) ?? 0, amount }))
    .sort((one, other) => one.place - other.place)
    .map(({ place, amount }) => ({ path: `$.line_items[${place}]`, amount }));
}

/** Effects that split one amount over lines. The others work on each line by itself. */
const splitEffects: ReadonlySet<string> = new Set([
  'APPLY_TO_ORDER',
  'APPLY_TO_ITEMS_PROPORTIONALLY',
  'APPLY_TO_ITEMS_PROPORTIONALLY_BY_QUANTITY',
  'APPLY_TO_ITEMS_BY_QUANTITY',
]);

export function chooseMethod({ outcome }: AppliedToCart): 'each' | 'across' {
  return splitEffects.has(outcome.result.discount?.effect ?? 'APPLY_TO_ORDER') ? 'across' : 'each';
}

/** Returns words that a buyer understands: the promotion's banner or name, or the campaign of the code. */
export function nameDiscount({ redeemable: { target, campaign }, code }: AppliedToCart): string {
  const { tier, voucher } = target;
  return tier?.banner || tier?.name || campaign?.name || code || voucher?.code || '';
}
