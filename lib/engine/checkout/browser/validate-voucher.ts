import * as v from 'valibot';
import { longestSession } from '#engine/holds/session.ts';
import { described } from '#kernel/core/documented.ts';
import { ServiceError } from '#kernel/core/errors.ts';
import { identifier, object, sentInteger } from '#kernel/core/schema.ts';
import type { Caller } from '#kernel/http/context.ts';
import { browserSession, sentSession, ttlUnit } from '../request/checkout-body.ts';
import { type OneVoucherBody, type VoucherValidation, validateVoucher } from '../validations/one-voucher.ts';
import type { Validating } from '../validations/validate.ts';
import { cartQuery, checkTrackingId, readCartQuery } from './cart-query.ts';
import { describeAskingBrowser } from './customer-rights.ts';

/** Validates one voucher for a browser, whose cart is in the address. */

export const voucherQuery = object({
  code: described(identifier, 'The code of the voucher.'),
  ...cartQuery,
  session_type: described(
    v.optional(sentSession.entries.type),
    'Locks for the session the uses, credits or points that a redemption would use.',
  ),
  session_key: described(v.optional(identifier), 'The key of the session. Without it, the reply has a new key.'),
  session_ttl: described(
    v.optional(v.pipe(sentInteger, v.minValue(1, 'must be 1 or more'))),
    `The time for which the session locks the voucher, in \`session_ttl_unit\`. The longest time is ${longestSession.page.words}, which is also the default.`,
  ),
  session_ttl_unit: v.optional(ttlUnit),
});

export type VoucherQuery = v.InferOutput<typeof voucherQuery>;

/** Refuses an incomplete session, because the caller would believe that the voucher is locked. */
function sessionOf({ session_type: type, ...query }: VoucherQuery): OneVoucherBody['session'] {
  const { session_key: key, session_ttl: ttl, session_ttl_unit: ttl_unit } = query;
  if (type) {
    if (v.is(browserSession, { type, key, ttl, ttl_unit })) return { type, key, ttl, ttl_unit };
    throw new ServiceError('invalid_query_params', {
      details: `session_ttl must be at most ${longestSession.page.words}, in session_ttl_unit (DAYS without one)`,
    });
  }
  if (key === undefined && ttl === undefined && ttl_unit === undefined) return undefined;
  throw new ServiceError('invalid_query_params', {
    details: 'session_type must be LOCK where session_key, session_ttl or session_ttl_unit is sent',
  });
}

/** Validates the voucher, without the notes of operators in the reply. Credits and points cannot be sent: as many as possible are used. */
export async function validateVoucherFromBrowser(
  context: Validating & { readonly caller: Caller },
  query: VoucherQuery,
): Promise<VoucherValidation> {
  const body = { ...readCartQuery(query), session: sessionOf(query) };
  await checkTrackingId(context, query);
  return validateVoucher(context, query.code, body, describeAskingBrowser(context.caller));
}
