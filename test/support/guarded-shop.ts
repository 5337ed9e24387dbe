import { handler as publishHere } from '../../functions/client/publish-from-page.ts';
import { handler as qualifyHere } from '../../functions/client/qualify-from-page.ts';
import { handler as redeemHere } from '../../functions/client/redeem-from-page.ts';
import { handler as redeemVoucherHere } from '../../functions/client/redeem-voucher-from-page.ts';
import { handler as sendEventHere } from '../../functions/client/send-client-event.ts';
import { handler as validateHere } from '../../functions/client/validate-from-page.ts';
import { handler as validateVoucherHere } from '../../functions/client/validate-voucher-from-page.ts';
import { handler as getCustomer } from '../../functions/customers/get-customer.ts';
import { handler as getOrder } from '../../functions/orders/get-order.ts';
import { handler as listProducts } from '../../functions/products/list-products.ts';
import { caller } from './call.ts';
import { assignedRule, campaignEntry, earningRule, promotionTier, validationRule } from './lists.ts';
import { programme } from './loyalty.ts';
import { withPages } from './pages.ts';
import { credentialsOf, loadFile, projectFile } from './project.ts';
import { bearer, issueToken } from './tokens.ts';

/** Makes a shop that has everything an attacker could want from its web pages. */

const tenOff = { type: 'PERCENT', percent_off: 10, effect: 'APPLY_TO_ORDER' };
const coupons = { campaign_type: 'DISCOUNT_COUPONS', type: 'AUTO_UPDATE', join_once: false };
const discount = { type: 'DISCOUNT_VOUCHER', discount: tenOff };
const gift = { type: 'GIFT_VOUCHER', gift: { amount: 30_000 } };

/** A rule reserves these codes for a customer or product with the mark in its metadata. */
export const marked = {
  'OF-CUSTOMER': 'customer.metadata',
  'OF-ORDER': 'order.metadata',
  'OF-REDEMPTION': 'redemption.metadata',
  'OF-PRODUCT': 'product.metadata',
  'OF-LINE': 'order.items.metadata_any',
} as const;

const ruleOf = (code: string) => `val_${code.toLowerCase()}`;

export const mark = { mark: 'gold' };

export async function guardedShop(client: Record<string, boolean> = {}) {
  const file = projectFile({
    campaigns: [
      campaignEntry('camp_tins', 'Gift tins', 'GIFT_VOUCHERS', {
        type: 'AUTO_UPDATE',
        join_once: false,
        voucher: gift,
      }),
      campaignEntry('camp_given', 'Given tins', 'GIFT_VOUCHERS', {
        type: 'AUTO_UPDATE',
        voucher: gift,
        client_publication: ['DISCOUNT_VOUCHER'],
      }),
      campaignEntry('camp_shown', 'Shown tins', 'GIFT_VOUCHERS', {
        type: 'AUTO_UPDATE',
        voucher: gift,
        client_publication: ['GIFT_VOUCHER'],
      }),
      { id: 'camp_shut', name: 'Shut', ...coupons, voucher: discount },
      { id: 'camp_open', name: 'Open', ...coupons, voucher: discount, client_publication: ['DISCOUNT_VOUCHER'] },
      programme('camp_club', { name: 'Club', type: 'AUTO_UPDATE', auto_join: true }),
      campaignEntry('camp_mate', 'Mate', 'REFERRAL_PROGRAM', {
        type: 'AUTO_UPDATE',
        voucher: { ...discount, is_referral_code: true },
        referral_program: { conversion_event_type: 'custom_event', custom_event: { name: 'visit' } },
      }),
      { id: 'camp_tiers', name: 'Tiers', campaign_type: 'PROMOTION', type: 'STATIC' },
    ],
    promotion_tiers: [
      promotionTier({ id: 'promo_all', name: 'All', campaign_id: 'camp_tiers', hierarchy: 1 }, tenOff),
      promotionTier({ id: 'promo_gold', name: 'Gold', campaign_id: 'camp_tiers', hierarchy: 2 }, tenOff),
    ],
    event_schema: [{ name: 'visit', metadata: { amount: 'number' } }],
    earning_rules: [
      earningRule(
        'ern_number',
        'visit',
        { type: 'PROPORTIONAL', metadata_key: 'amount', points: 1, every: 1 },
        { client_events: true },
      ),
      earningRule('ern_server', 'visit', { type: 'FIXED', points: 1_000_000 }),
      earningRule('ern_page', 'visit', { type: 'FIXED', points: 3 }, { client_events: true }),
      earningRule('ern_paid', 'order.paid', {
        type: 'PROPORTIONAL',
        calculation_type: 'ORDER_AMOUNT',
        order: { amount: { every: 1, points: 1 } },
      }),
    ],
    validation_rules: Object.entries(marked).map(([code, name]) =>
      validationRule(ruleOf(code), code, { name, property: 'mark', conditions: { $is: ['gold'] } }),
    ),
    validation_rules_assignments: [
      ...Object.keys(marked).map((code) => assignedRule(ruleOf(code), 'voucher', code)),
      { rule_id: ruleOf('OF-CUSTOMER'), related_object_type: 'promotion_tier', related_object_id: 'promo_gold' },
    ],
    products: [{ id: 'prod_mug', source_id: 'mug', name: 'Mug', price: 10_000, metadata: { mark: 'plain' } }],
    skus: [{ id: 'sku_red', source_id: 'red-mug', sku: 'Red', product_id: 'prod_mug', price: 12_000 }],
    customers: [
      {
        id: 'cust_ada',
        source_id: 'ada',
        name: 'Ada',
        email: 'ada@post.example',
        metadata: { mark: 'plain' },
      },
      { id: 'cust_bob', source_id: 'bob', name: 'Bob', metadata: {} },
    ],
    vouchers: [
      ...Object.keys(marked).map((code) => ({ code, ...discount })),
      { code: 'TEN', ...discount },
      { code: 'GIFT', type: 'GIFT_VOUCHER', gift: { amount: 50_000, balance: 50_000 } },
      { code: 'SHUT-1', campaign_id: 'camp_shut', ...discount },
      { code: 'OPEN-1', campaign_id: 'camp_open', ...discount },
      { code: 'MATE-ADA', campaign_id: 'camp_mate', holder_id: 'cust_ada', is_referral_code: true, ...discount },
    ],
  });
  const paged = withPages(file);
  await loadFile({ ...paged, project: { ...paged.project, client } });
  const server = credentialsOf(file);
  // Tokens with browser scopes are treated as calls from web pages, without the limit of five calls.
  const headers = bearer(await issueToken(server, 'client_api'));
  return {
    id: file.project.id,
    key: paged.client_keys[0],
    server,
    headers,
    validate: (body: object) => caller(validateHere)({ headers, body }),
    validateVoucher: (query: string) => caller(validateVoucherHere)({ headers, query }),
    qualify: (body: object) => caller(qualifyHere)({ headers, body }),
    redeem: (body: object) => caller(redeemHere)({ headers, body }),
    redeemVoucher: (query: string, body: object) => caller(redeemVoucherHere)({ headers, query, body }),
    publish: (body: object, query = '') => caller(publishHere)({ headers, body, query }),
    publishAsServer: (body: object) => caller(publishHere)({ headers: server, body }),
    send: (body: object) => caller(sendEventHere)({ headers, body }),
    customer: (name: string) => caller(getCustomer)({ headers: server, params: { customerId: name } }),
    order: (name: string) => caller(getOrder)({ headers: server, params: { orderId: name } }),
    products: async () => (await caller(listProducts)({ headers: server })).body.products,
  };
}

export type GuardedShop = Awaited<ReturnType<typeof guardedShop>>;
