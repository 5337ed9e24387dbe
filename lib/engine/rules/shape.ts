/** Describes a stored rule document. It is checked when it is sent, and again when it is compiled. */

/** Rules by their keys. `logic` joins them, by default with `and`. */
export type Rules = Readonly<Record<string, unknown>>;

/** The shop's own message for buyers. */
interface CustomError {
  readonly message: string;
}

/** The key of a set of rules that is not a rule. */
export const logicKey = 'logic';

/** Limits the levels of nested rules. */
export const maxLevels = 3;

/** Limits the rules of all levels. It exceeds any use, and limits the evaluation of each request. */
export const maxRulesOfDocument = 100;

/** Returns the name of a rule. It is empty if an unchecked document has no text there. */
export function readRuleName({ name }: Readonly<Record<string, unknown>>): string {
  return typeof name === 'string' ? name : '';
}

/** Returns the own keys that are rules. */
export function listRuleKeys(rules: Rules): string[] {
  return Object.keys(rules).filter((key) => key !== logicKey);
}

/** The decisive parts of a document. Other parts have no effect. */
export interface RuleDocument<E extends ApplicableEntry = ApplicableEntry> {
  readonly rules?: Rules | null | undefined;
  readonly bundle_rules?: Readonly<Record<string, unknown>> | null | undefined;
  readonly error?: CustomError | null | undefined;
  readonly context_type?: string | undefined;
  readonly applicable_to?: ApplicableTo<E> | null | undefined;
}

/** The products of a discount, with how it applies to them. */
export interface ApplicableEntry {
  readonly object: 'product' | 'sku' | 'products_collection';
  readonly id?: string | null | undefined;
  readonly source_id?: string | null | undefined;
}

interface ApplicableTo<E extends ApplicableEntry> {
  readonly included?: readonly E[] | null | undefined;
  readonly excluded?: readonly E[] | null | undefined;
  readonly included_all?: boolean | null | undefined;
}

/** Lists the contexts of rules. The context decides which names are useful (docs/validation-rules.md#rule-contexts). */

const discounts = [
  'apply_to_order',
  'apply_to_items',
  'apply_to_items_proportionally',
  'apply_to_items_proportionally_by_quantity',
  'apply_to_items_by_quantity',
  'fixed.apply_to_items',
  'percent.apply_to_items',
].map((effect) => `.discount.${effect}`);
const gifts = ['.gift.apply_to_order', '.gift.apply_to_items'];

/** Groups of names that belong together. */
type Area = 'customer' | 'order' | 'campaign' | 'redemption' | 'publication' | 'event' | 'gift' | 'points' | 'bundle';

const redeeming: readonly Area[] = ['customer', 'order', 'campaign', 'redemption'];
const ofDiscount: readonly Area[] = [...redeeming, 'publication', 'bundle'];

interface Family {
  readonly name: string;
  readonly kinds?: readonly string[];
  readonly areas: readonly Area[];
}

const families: readonly Family[] = [
  { name: 'global', areas: [...ofDiscount, 'event', 'gift', 'points'] },
  { name: 'campaign.discount_coupons', kinds: discounts, areas: ofDiscount },
  { name: 'campaign.referral_program', kinds: discounts, areas: ofDiscount },
  { name: 'campaign.promotion', kinds: discounts, areas: [...redeeming, 'bundle'] },
  { name: 'campaign.gift_vouchers', kinds: gifts, areas: [...redeeming, 'publication', 'gift'] },
  { name: 'campaign.loyalty_program', areas: [...redeeming, 'publication', 'points'] },
  { name: 'voucher.discount_voucher', kinds: discounts, areas: ofDiscount },
  { name: 'voucher.gift_voucher', kinds: gifts, areas: [...redeeming, 'publication', 'gift'] },
  { name: 'voucher.loyalty_card', areas: [...redeeming, 'publication', 'points'] },
  { name: 'reward_assignment.pay_with_points', areas: [...redeeming, 'points'] },
  { name: 'distribution.custom_event', areas: ['customer', 'event'] },
  ...['paid', 'created', 'canceled', 'updated'].map((status): Family => {
    return { name: `distribution.order.${status}`, areas: ['customer', 'order'] };
  }),
  { name: 'earning_rule.order.paid', areas: ['customer', 'order'] },
  { name: 'earning_rule.custom_event', areas: ['customer', 'event'] },
  ...['segment.entered', 'tier.joined', 'tier.left', 'tier.upgraded', 'tier.downgraded', 'tier.prolonged'].map(
    (event): Family => ({ name: `earning_rule.customer.${event}`, areas: ['customer'] }),
  ),
];

const areasOf: ReadonlyMap<string, readonly Area[]> = new Map(
  families.flatMap(({ name, kinds = [], areas }) => ['', ...kinds].map((kind) => [name + kind, areas] as const)),
);

export const contextTypes: readonly string[] = [...areasOf.keys()];

function areaOf(name: string): Area {
  if (name.startsWith('redemption.gift.')) return 'gift';
  if (name.startsWith('redemption.reward.')) return 'points';
  const [first] = name.split('.');
  if (first === 'custom_event') return 'event';
  if (first === 'customer_segment') return 'customer';
  return first === 'customer' || first === 'campaign' || first === 'redemption' || first === 'publication'
    ? first
    : 'order';
}

/** Returns whether a rule of the name can apply in the context. */
export function canApplyIn(name: string, contextType: string): boolean {
  return areasOf.get(contextType)?.includes(areaOf(name)) ?? false;
}

/** Returns whether the context can have bundles of products. */
export function canHaveBundles(contextType: string): boolean {
  return areasOf.get(contextType)?.includes('bundle') ?? false;
}
