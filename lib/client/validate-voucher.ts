import * as v from 'valibot';
import type { Caller } from '../context.ts';
import { findCustomerById } from '../customers/find-customer.ts';
import { described } from '../documented.ts';
import { ServiceError } from '../errors.ts';
import { longestSession } from '../holds/session.ts';
import { maxLines } from '../orders/resource.ts';
import { sentSession, sessionOfPage, ttlUnit } from '../redeemables/checkout-body.ts';
import { trackingIdOf } from '../redeemables/tracking-id.ts';
import { identifier, object, record, sentCount, sentInteger, sentMetadata } from '../schema.ts';
import { type OneVoucherBody, type VoucherValidation, validateVoucher } from '../validations/one-voucher.ts';
import type { Validating } from '../validations/validate.ts';
import { pageLine } from './page-cart.ts';
import { askingPage } from './page-customer.ts';

/** The validation of one voucher by what stands in an address, for pages. Values of metadata are texts there. */

const index = /^\d{1,9}$/;

/** `item[0][product_id]=…`: in the order of their numbers. */
const itemsOfQuery = v.pipe(
  record(pageLine),
  v.check((lines) => Object.keys(lines).every((name) => index.test(name)), 'must be numbered: item[0][product_id]'),
  v.check((lines) => Object.keys(lines).length <= maxLines, `must have at most ${maxLines} lines`),
  v.transform((lines) =>
    Object.entries(lines)
      .toSorted(([one], [other]) => Number(one) - Number(other))
      .map(([, line]) => line),
  ),
);

const customerOfQuery = v.union([
  v.pipe(
    identifier,
    v.transform((id) => ({ id })),
  ),
  object({ id: v.optional(identifier), source_id: v.optional(identifier), metadata: v.optional(sentMetadata) }),
]);

export const voucherQuery = object({
  code: described(identifier, 'Of the voucher.'),
  tracking_id: described(v.optional(identifier), "Stands for the customer's source id."),
  customer: described(
    v.optional(customerOfQuery),
    'An id, or `customer[source_id]`. `customer[metadata][…]` has no effect.',
  ),
  amount: described(v.optional(sentCount), 'Of the order, in minor currency units; without it, the sum of the lines.'),
  item: described(v.optional(itemsOfQuery), 'The lines of the order: `item[0][product_id]`, `item[0][quantity]`, …'),
  order: described(v.optional(object({ metadata: v.optional(sentMetadata) })), '`order[metadata][…]` has no effect.'),
  metadata: described(v.optional(sentMetadata), 'Of the redemption. No rule sees it.'),
  session_type: described(v.optional(sentSession.entries.type), 'Keeps for the session what would be used.'),
  session_key: described(v.optional(identifier), 'Without it, a new one is made and answered.'),
  session_ttl: described(
    v.optional(v.pipe(sentInteger, v.minValue(1, 'must be 1 or more'))),
    `How long it is kept, in \`session_ttl_unit\`: ${longestSession.page.words} without it, and at most.`,
  ),
  session_ttl_unit: v.optional(ttlUnit),
});

export type VoucherQuery = v.InferOutput<typeof voucherQuery>;

/** A session that is half asked for is refused: who believes the voucher kept would find it used. */
function sessionOf({ session_type: type, ...query }: VoucherQuery): OneVoucherBody['session'] {
  const { session_key: key, session_ttl: ttl, session_ttl_unit: ttl_unit } = query;
  if (type) {
    if (v.is(sessionOfPage, { type, key, ttl, ttl_unit })) return { type, key, ttl, ttl_unit };
    throw new ServiceError('invalid_query_params', {
      details: `session_ttl must be at most ${longestSession.page.words}, in session_ttl_unit (DAYS without one)`,
    });
  }
  if (key === undefined && ttl === undefined && ttl_unit === undefined) return undefined;
  throw new ServiceError('invalid_query_params', {
    details: 'session_type must be LOCK where session_key, session_ttl or session_ttl_unit is sent',
  });
}

function bodyOf(query: VoucherQuery): OneVoucherBody {
  const { amount, item: items, order, customer, tracking_id, metadata } = query;
  const hasOrder = amount !== undefined || items !== undefined || order !== undefined;
  return {
    customer: customer && { id: customer.id, source_id: 'source_id' in customer ? customer.source_id : undefined },
    tracking_id,
    metadata,
    session: sessionOf(query),
    order: hasOrder ? { amount, items } : undefined,
  };
}

/** A tracking id is the source id of the customer, or what replies made of it. */
async function checkTrackingId(context: Validating, { tracking_id, customer }: VoucherQuery): Promise<void> {
  if (tracking_id === undefined || customer === undefined) return;
  const named = 'source_id' in customer ? customer.source_id : undefined;
  const sourceId = customer.id ? (await findCustomerById(context, customer.id))?.source_id : named;
  if (!sourceId || [sourceId, trackingIdOf(context.project, sourceId)].includes(tracking_id)) return;
  throw new ServiceError('ambiguous_tracking_id', {
    details: 'tracking_id is not of the customer; send one of them, or both of one person',
  });
}

/** As for servers, without what operators note at the voucher. Credits and points can't be named: as many as are of use are taken. */
export async function validateVoucherFromPage(
  context: Validating & { readonly caller: Caller },
  query: VoucherQuery,
): Promise<VoucherValidation> {
  const body = bodyOf(query);
  await checkTrackingId(context, query);
  return { ...(await validateVoucher(context, query.code, body, askingPage(context.caller))), metadata: {} };
}
