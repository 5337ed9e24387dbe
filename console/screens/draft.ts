import { api, dataOf } from '../core/api.ts';
import { endOfDayHere, startOfDayHere } from '../core/days.ts';
import { minorUnits } from '../core/format.ts';
import { query, setQuery } from '../core/router.ts';

export const kinds = ['DISCOUNT_COUPONS', 'GIFT_VOUCHERS', 'PROMOTION'] as const;

export const sampleCart = 10_000;
/** Reads the draft from the address, so that a reload or a link keeps it. */
export const get = (name: string, otherwise = '') => query.value.get(name) ?? otherwise;
export const set = (name: string) => (value: string) => setQuery({ [name]: value }, 'replace');

export function discountOf(): Record<string, unknown> {
  if (get('discount', 'PERCENT') === 'PERCENT') return { type: 'PERCENT', percent_off: Number(get('off', '10')) };
  return { type: 'AMOUNT', amount_off: minorUnits(get('off', '10')) };
}

export function sampleOff(): number {
  const { type, percent_off: percent, amount_off: amount } = discountOf();
  return Math.min(sampleCart, type === 'PERCENT' ? Math.round((sampleCart * Number(percent)) / 100) : Number(amount));
}

export function ruleOf(): Record<string, unknown> | undefined {
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

function campaignOf(): Record<string, unknown> {
  const kind = get('kind', kinds[0]);
  const length = Number(get('length', '8'));
  const voucher =
    kind === 'GIFT_VOUCHERS'
      ? { type: 'GIFT_VOUCHER', gift: { amount: minorUnits(get('amount', '25')) } }
      : { type: 'DISCOUNT_VOUCHER', discount: discountOf() };
  const codes = {
    voucher: {
      ...voucher,
      code_config: { prefix: get('prefix'), length },
      redemption: { quantity: Number(get('uses', '1')) || null },
    },
    vouchers_count: Number(get('count', '100')),
  };
  return {
    name: get('name').trim(),
    campaign_type: kind,
    start_date: instant(get('start')),
    expiration_date: endOf(get('end')),
    ...(kind === 'PROMOTION'
      ? { promotion: { tiers: [{ name: get('name'), action: { discount: discountOf() } }] } }
      : codes),
  };
}

/** Creates the rule first, then the campaign with its assignment. */
export async function create(): Promise<string> {
  const rules = ruleOf();
  const rule =
    rules && (await dataOf(api.POST('/v1/validation-rules', { body: { name: get('name'), rules } as never })));
  const body = { ...campaignOf(), ...(rule ? { validation_rules: [rule.id] } : {}) };
  const { id } = (await dataOf(api.POST('/v1/campaigns', { body: body as never }))) as { id: string };
  return id;
}
