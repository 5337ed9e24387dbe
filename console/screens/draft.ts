import { api, type BodyOf, dataOf, type Schemas } from '../core/api.ts';
import { endOfDayHere, startOfDayHere } from '../core/days.ts';
import { minorUnits, ofMajor } from '../core/format.ts';
import { wordOf } from '../core/part.ts';
import { query, setQuery } from '../core/router.ts';
import type { RuleTree } from '../core/rules.ts';

export const kinds = ['DISCOUNT_COUPONS', 'GIFT_VOUCHERS', 'PROMOTION'] as const;

/** Returns the kind of the draft. An address with another kind has the first kind. */
export const kindOf = () => wordOf(kinds, get('kind')) ?? kinds[0];

export const sampleCart = () => ofMajor(100);
/** Reads the draft from the address, so that a reload or a link keeps it. */
export const get = (name: string, otherwise = '') => query.value.get(name) ?? otherwise;
export const set = (name: string) => (value: string) => setQuery({ [name]: value }, 'replace');

export const threeForTwo = 'THREE_FOR_TWO';

export function isThreeForTwo(): boolean {
  return get('discount') === threeForTwo && get('kind') !== 'GIFT_VOUCHERS';
}

/** Makes the last of each three units free, from the dearest on (docs/discounts.md#recipes). */
const lastOfThree: BodyOf<'create-validation-rule'>['applicable_to'] = {
  included: [
    {
      object: 'products_collection',
      id: 'pc_a11pr0dUc75',
      effect: 'APPLY_FROM_MOST_EXPENSIVE',
      target: 'UNIT',
      skip_initially: 2,
      repeat: 3,
    },
  ],
};

export function discountOf(): Schemas['SentDiscount'] {
  if (isThreeForTwo()) return { type: 'PERCENT', percent_off: 100, effect: 'APPLY_TO_ITEMS' };
  if (get('discount', 'PERCENT') === 'PERCENT') return { type: 'PERCENT', percent_off: Number(get('off', '10')) };
  return { type: 'AMOUNT', amount_off: minorUnits(get('off', '10')) };
}

export function sampleOff(): number {
  // The sample cart then has three equal units.
  if (isThreeForTwo()) return Math.round(sampleCart() / 3);
  const discount = discountOf();
  if (discount.type === 'PERCENT')
    return Math.min(sampleCart(), Math.round((sampleCart() * discount.percent_off) / 100));
  return discount.type === 'AMOUNT' ? Math.min(sampleCart(), discount.amount_off) : 0;
}

export function ruleOf(): RuleTree | undefined {
  const least = minorUnits(get('least'));
  const segment = get('segment');
  const rules = [
    ...(least > 0 ? [{ name: 'order.amount', conditions: { $more_than_or_equal: [least] } }] : []),
    ...(segment ? [{ name: 'customer.segment', conditions: { $is: [segment] } }] : []),
  ];
  if (rules.length === 0) return undefined;
  const numbered = rules.map((rule, index) => [String(index + 1), rule] as const);
  return { ...Object.fromEntries(numbered), logic: numbered.map(([number]) => number).join(' and ') };
}

export const instant = (day: string) => (day ? startOfDayHere(day) : undefined);

/** Returns the end of a last day. */
export const endOf = (day: string) => (day ? endOfDayHere(day) : undefined);

function campaignOf(): BodyOf<'create-campaign'> {
  const kind = kindOf();
  const length = Number(get('length', '8'));
  const voucher: NonNullable<BodyOf<'create-campaign'>['voucher']> =
    kind === 'GIFT_VOUCHERS'
      ? { type: 'GIFT_VOUCHER', gift: { amount: minorUnits(get('amount', '25')) } }
      : { type: 'DISCOUNT_VOUCHER', discount: discountOf() };
  const isPromotion = kind === 'PROMOTION';
  return {
    name: get('name').trim(),
    campaign_type: kind,
    start_date: instant(get('start')),
    expiration_date: endOf(get('end')),
    promotion: isPromotion ? { tiers: [{ name: get('name'), action: { discount: discountOf() } }] } : undefined,
    voucher: isPromotion
      ? undefined
      : {
          ...voucher,
          code_config: { prefix: get('prefix'), length },
          redemption: { quantity: Number(get('uses', '1')) || null },
        },
    vouchers_count: isPromotion ? undefined : Number(get('count', '100')),
  };
}

/** Creates the rule first, then the campaign with its assignment. */
export async function create(): Promise<string> {
  const rules = ruleOf();
  const units = isThreeForTwo() ? lastOfThree : undefined;
  const rule =
    rules || units
      ? await dataOf(api.POST('/v1/validation-rules', { body: { name: get('name'), rules, applicable_to: units } }))
      : undefined;
  const body: BodyOf<'create-campaign'> = { ...campaignOf(), validation_rules: rule && [rule.id] };
  const { id } = await dataOf(api.POST('/v1/campaigns', { body }));
  return id;
}
