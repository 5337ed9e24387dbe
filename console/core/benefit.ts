import { words } from '../words.ts';
import type { Schemas } from './api.ts';
import { count, date, human, money } from './format.ts';

type Some<
  Name extends 'DiscountPercent' | 'DiscountAmount' | 'DiscountFixed' | 'DiscountUnit',
  Field extends keyof Schemas[Name],
> = Partial<Pick<Schemas[Name], Field>>;

/** Has the fields of all discounts. A redemption leaves out some. */
type Discount = Some<'DiscountPercent', 'percent_off' | 'amount_limit'> &
  Some<'DiscountAmount', 'amount_off'> &
  Some<'DiscountFixed', 'fixed_amount'> &
  Some<'DiscountUnit', 'unit_off' | 'unit_type'> & {
    readonly type?: string | undefined;
    readonly effect?: string | undefined;
  };

/** Returns whether the object is on. The state `null` means that it was never switched off. */
export const isOn = (active: boolean | null | undefined) => active !== false;

/** Describes the value of a discount. */
export function writeDiscount(given: Discount | null | undefined): string {
  const {
    type,
    percent_off: percent,
    amount_off: amount,
    unit_off: units,
    fixed_amount: fixed,
    ...rest
  }: Discount = given ?? {};
  const where =
    rest.effect && rest.effect !== 'APPLY_TO_ORDER' ? ` · ${human(rest.effect.replace('APPLY_TO_', ''))}` : '';
  const limit = rest.amount_limit === undefined ? '' : ` · ${words.benefit.upTo(money(rest.amount_limit))}`;
  if (type === 'PERCENT') return words.benefit.off(`${count(percent)} %`) + limit + where;
  if (type === 'AMOUNT') return words.benefit.off(money(amount)) + where;
  if (type === 'FIXED') return words.benefit.fixed(money(fixed)) + where;
  if (type === 'UNIT') return words.benefit.units(count(units), rest.unit_type ?? '') + where;
  return human(type);
}

/** Describes the benefit of a voucher in a few words. */
export function writeBenefit(voucher: Pick<Schemas['Voucher'], 'discount' | 'gift' | 'loyalty_card'>): string {
  const { discount, gift, loyalty_card: card } = voucher;
  if (gift) return words.benefit.left(money(gift.balance), money(gift.amount));
  if (card) return words.benefit.points(count(card.balance));
  return discount ? writeDiscount(discount) : '–';
}

export function writePeriod(start: string | null | undefined, end: string | null | undefined): string {
  if (!start && !end) return words.always;
  if (!end) return words.since(date(start));
  // The end itself is excluded, so the last day is the day of the moment before it.
  const last = date(new Date(Date.parse(end) - 1).toISOString());
  return start ? `${date(start)} – ${last}` : words.until(last);
}

const kinds: Readonly<Record<string, string>> = words.kinds;

export function writeKind(type: string | null | undefined): string {
  return kinds[type ?? ''] ?? human(type);
}

/** Describes the benefit of a campaign's vouchers. */
export function writeOffer({ voucher }: Pick<Schemas['ListCampaignsReply']['campaigns'][number], 'voucher'>): string {
  if (voucher?.gift) return words.benefit.gift(money(voucher.gift.amount));
  if (voucher?.loyalty_card) return words.benefit.start(count(voucher.loyalty_card.points));
  return voucher?.discount ? writeDiscount(voucher.discount) : '–';
}
