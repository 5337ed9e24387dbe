import * as v from 'valibot';
import { isEmptyCustomer } from '#engine/customers/customer-body.ts';
import { named } from '#kernel/core/documented.ts';
import type { Caller } from '#kernel/http/context.ts';
import type { Redeeming } from '../redemptions/plan.ts';
import { redemption, slimVoucher } from '../redemptions/present-redemption.ts';
import { redeem } from '../redemptions/redeem.ts';
import { redeemed, showOne, showRedeemed } from '../redemptions/show-redeemed.ts';
import { type CheckoutBody, readAsked, readExpansions } from '../request/checkout-body.ts';
import { readAskedVoucher } from '../validations/one-voucher.ts';
import { readAskedTier } from '../validations/promotions.ts';
import { type Validating, validate } from '../validations/validate.ts';
import type { Validation } from '../validations/validation.ts';
import {
  type BrowserOrder,
  type browserRedemptionBody,
  type browserValidationBody,
  type browserVoucherRedemptionBody,
  readBrowserOrder,
} from './cart-bodies.ts';
import { clientPartialVoucher } from './client-voucher.ts';
import { describeAskingBrowser, describeRedeemingBrowser, hidePerson, limitCustomer } from './customer-rights.ts';
import { clientTier } from './replies.ts';

/** Handles checkouts of pages. A page must not name a stored order, because a guessed source id would reveal a purchase. */

/** Shows a reward without its stock, its holder and the notes of operators. */
const clientReward = v.object({
  id: v.string(),
  name: v.nullable(v.string()),
  assignment_id: v.string(),
  voucher: v.nullable(slimVoucher),
});

export const clientRedemption = named(
  'ClientRedemption',
  v.object({
    ...redemption.entries,
    voucher: v.optional(v.union([clientPartialVoucher, slimVoucher])),
    promotion_tier: v.optional(v.nullable(clientTier)),
    reward: v.optional(clientReward),
  }),
);

export const clientRedeemed = named(
  'ClientRedeemed',
  v.object({
    ...redeemed.entries,
    redemptions: v.array(clientRedemption),
    parent_redemption: v.optional(clientRedemption),
  }),
);

/** Shows a redemption to a page. `withMetadata` keeps the metadata of the voucher or tier. */
function forPage(
  { customer, voucher: own, promotion_tier: tier, reward, ...one }: v.InferInput<typeof redemption>,
  withMetadata: boolean,
): v.InferInput<typeof clientRedemption> {
  return {
    ...one,
    customer: customer && hidePerson(customer),
    ...(own ? { voucher: 'metadata' in own && !withMetadata ? { ...own, metadata: {} } : own } : {}),
    ...(reward ? { reward: v.parse(clientReward, reward) } : {}),
    ...(tier === undefined ? {} : { promotion_tier: tier && !withMetadata ? { ...tier, metadata: {} } : tier }),
  };
}

/** Removes the values that rules saw of a customer or an order, which only shops may see. */
function expandedForPage({ options }: Pick<CheckoutBody, 'options'>): CheckoutBody['options'] {
  return options && { ...options, expand: options.expand?.filter((one) => one !== 'validation_rules') };
}

export async function validateFromBrowser(
  context: Validating & { readonly caller: Caller },
  body: v.InferOutput<typeof browserValidationBody>,
): Promise<Validation> {
  const asked = { ...body, order: readBrowserOrder(body), options: expandedForPage(body) };
  return validate(context, asked, describeAskingBrowser(context.caller));
}

/** Returns the referrer that the browser names, if any. */
function referrerOf({ referrer }: BrowserOrder): BrowserOrder['referrer'] {
  return referrer && !isEmptyCustomer(referrer) ? referrer : undefined;
}

/** Returns the effective part of a page's redemption. Its order is new and not paid. */
function redeeming<B extends Pick<v.InferOutput<typeof browserRedemptionBody>, 'customer' | 'order'>>(
  { project }: Redeeming,
  body: B,
) {
  const { customer, order } = body;
  return {
    ...body,
    customer: customer && limitCustomer(project, customer),
    order: order && { ...order, referrer: referrerOf(order), status: 'CREATED' as const },
  };
}

export async function redeemFromBrowser(
  context: Redeeming,
  body: v.InferOutput<typeof browserRedemptionBody>,
): Promise<v.InferInput<typeof clientRedeemed>> {
  const expand = readExpansions({ options: expandedForPage(body) });
  const asked = readAsked(redeeming(context, body), describeRedeemingBrowser(context));
  const shown = await redeem(context, { ...asked, onlyNewOrder: true }, (done) => showRedeemed(context, done, expand));
  const { redemptions, parent_redemption: parent, ...reply } = shown;
  const withMetadata = expand.has('redeemable');
  return {
    ...reply,
    redemptions: redemptions.map((one) => forPage(one, withMetadata)),
    ...(parent ? { parent_redemption: forPage(parent, withMetadata) } : {}),
  };
}

export async function redeemTierFromBrowser(
  context: Redeeming,
  id: string,
  body: v.InferOutput<typeof browserVoucherRedemptionBody>,
): Promise<v.InferInput<typeof clientRedemption>> {
  const asked = readAskedTier(id, redeeming(context, body), describeRedeemingBrowser(context));
  return forPage(await redeem(context, { ...asked, onlyNewOrder: true }, (done) => showOne(context, done)), false);
}

export async function redeemVoucherFromBrowser(
  context: Redeeming,
  code: string,
  body: v.InferOutput<typeof browserVoucherRedemptionBody>,
): Promise<v.InferInput<typeof clientRedemption>> {
  const asked = readAskedVoucher(code, redeeming(context, body), describeRedeemingBrowser(context));
  return forPage(await redeem(context, { ...asked, onlyNewOrder: true }, (done) => showOne(context, done)), false);
}
