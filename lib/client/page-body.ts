import { checkoutBody, sessionOfPage } from '../redeemables/checkout-body.ts';
import { nullable, object } from '../schema.ts';

/** Anybody may send what a page sends, so that it asks for less than a server does. */

/** The body of a page's validation. */
export const pageValidationBody = object({ ...checkoutBody.entries, session: nullable(sessionOfPage) });
