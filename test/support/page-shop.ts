import { handler as redeemHere } from '../../functions/client/redeem-from-page.ts';
import { handler as redeemVoucherHere } from '../../functions/client/redeem-voucher-from-page.ts';
import { handler as validateHere } from '../../functions/client/validate-from-page.ts';
import { handler as validateVoucherHere } from '../../functions/client/validate-voucher-from-page.ts';
import { handler as createOrder } from '../../functions/orders/create-order.ts';
import { handler as getOrder } from '../../functions/orders/get-order.ts';
import { handler as getVoucher } from '../../functions/vouchers/get-voucher.ts';
import { caller } from './call.ts';
import { onPage, page, withPages } from './pages.ts';
import { credentialsOf, loadFile, projectFile } from './project.ts';
import { bearer, issueToken } from './tokens.ts';

/** Makes a shop whose web pages validate and redeem. */

const discount = { type: 'PERCENT', percent_off: 10, effect: 'APPLY_TO_ORDER' };

/** Texts that no browser may see contain `secret`. */
export async function pageShop(
  client: object | null = { redemption: true },
  origins: readonly string[] = [page],
  more: object = {},
) {
  const file = projectFile({
    campaigns: [
      { id: 'camp_p', name: 'Beans', campaign_type: 'PROMOTION', type: 'STATIC' },
      { id: 'camp_l', name: 'Club', campaign_type: 'LOYALTY_PROGRAM', type: 'STATIC' },
    ],
    promotion_tiers: [
      {
        id: 'promo_1',
        name: 'Five off',
        campaign_id: 'camp_p',
        hierarchy: 1,
        active: true,
        action: { discount },
        metadata: { note: 'secret' },
        summary: { redemptions: { total_redeemed: 7 }, orders: { total_amount: 70077, total_discount_amount: 70 } },
      },
      {
        ...{ id: 'promo_soon', name: 'Next year', campaign_id: 'camp_p', hierarchy: 2, active: true },
        action: { discount },
        start_date: '2031-01-01T00:00:00.000Z',
      },
    ],
    validation_rules: [
      { id: 'val_secret', name: 'All' },
      {
        id: 'val_picky',
        name: 'Nobody',
        rules: { '1': { name: 'customer.metadata', property: 'note', conditions: { $is: ['none'] } } },
      },
    ],
    validation_rules_assignments: [
      { rule_id: 'val_secret', related_object_type: 'promotion_tier', related_object_id: 'promo_1' },
      { rule_id: 'val_secret', related_object_type: 'voucher', related_object_id: 'TEN' },
      { rule_id: 'val_picky', related_object_type: 'voucher', related_object_id: 'PICKY' },
    ],
    vouchers: [
      {
        ...{ code: 'TEN', type: 'DISCOUNT_VOUCHER', discount, additional_info: 'secret' },
        metadata: { note: 'secret', colour: 'blue' },
      },
      { code: 'SOON', type: 'DISCOUNT_VOUCHER', discount, start_date: '2031-01-01T00:00:00.000Z' },
      { code: 'PICKY', type: 'DISCOUNT_VOUCHER', discount },
      { code: 'GIFT', type: 'GIFT_VOUCHER', gift: { amount: 400, balance: 400 }, metadata: { note: 'secret' } },
      {
        code: 'CARD',
        type: 'LOYALTY_CARD',
        campaign_id: 'camp_l',
        holder_id: 'cust_1',
        loyalty_card: { points: 90, balance: 90 },
      },
    ],
    rewards: [
      {
        id: 'rew_1',
        name: 'A mug',
        type: 'MATERIAL',
        stock: 5,
        metadata: { note: 'secret' },
        parameters: { product: { id: 'prod_mug', sku_id: null } },
      },
    ],
    reward_assignments: [
      {
        id: 'rewa_1',
        reward_id: 'rew_1',
        related_object_id: 'camp_l',
        related_object_type: 'campaign',
        parameters: { loyalty: { points: 10 } },
      },
    ],
    products: [{ id: 'prod_mug', name: 'Mug', metadata: { note: 'secret' } }],
    customers: [
      {
        id: 'cust_1',
        source_id: 'crm-1',
        name: 'Ingrid secret',
        email: 'secret@post.example',
        metadata: { note: 'secret' },
      },
    ],
  });
  const paged = withPages(file, origins);
  await loadFile({ ...paged, project: { ...paged.project, ...(client ? { client } : {}), ...more } });
  const server = credentialsOf(file);
  const headersFrom = (origin: string) => onPage(paged, origin);
  const headers = headersFrom(page);
  // Tokens of one project have no limit of five calls.
  const token = bearer(await issueToken(server, 'client_api'));
  return {
    server,
    headers,
    headersFrom,
    token,
    validate: (body: object) => caller(validateHere)({ headers, body }),
    redeem: (body: object) => caller(redeemHere)({ headers, body }),
    validateVoucher: (query: string) => caller(validateVoucherHere)({ headers, query }),
    redeemVoucher: (query: string, body: object) => caller(redeemVoucherHere)({ headers, query, body }),
    store: (body: object) => caller(createOrder)({ headers: server, body }),
    usesOf: async (code: string) =>
      (await caller(getVoucher)({ headers: server, params: { code } })).body.redemption.redeemed_quantity,
    order: (name: string) => caller(getOrder)({ headers: server, params: { orderId: name } }),
  };
}

export const ten = { object: 'voucher', id: 'TEN' };
export const customer = { source_id: 'crm-1' };
export const leaked = /secret|70077|summary|validation_rules_assignments|holder_id|stock/;
