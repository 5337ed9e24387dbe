import * as v from 'valibot';
import { named } from '#kernel/core/documented.ts';
import { ServiceError } from '#kernel/core/errors.ts';
import { listEnvelope } from '#kernel/core/schema.ts';
import type { Caller } from '#kernel/http/context.ts';
import { type Qualification, qualification, qualifyingRedeemable } from '../qualifications/qualification.ts';
import { type Qualifying, qualify } from '../qualifications/qualify.ts';
import { type browserQualificationBody, readBrowserOrder } from './cart-bodies.ts';
import { describeAskingBrowser } from './customer-rights.ts';

/** Shows pages a part of a qualification, and checks the switches that a page needs. */

const {
  validation_rule_id,
  validation_rules_assignments,
  redeemables: _,
  ...shownToPages
} = qualifyingRedeemable.entries;

/** Shows a candidate without its rules. */
const clientQualifying = named(
  'ClientQualifyingRedeemable',
  v.object({
    ...shownToPages,
    redeemables: v.optional(
      v.array(named('ClientQualifyingStackTier', v.object({ ...shownToPages, object: v.literal('promotion_tier') }))),
    ),
  }),
);

const { has_more, more_starting_after, more_not_compared } = qualification.entries.redeemables.entries;

export const clientQualification = named(
  'ClientQualification',
  v.object({
    ...qualification.entries,
    redeemables: v.object({
      ...listEnvelope(clientQualifying).entries,
      has_more,
      more_starting_after,
      more_not_compared,
    }),
  }),
);

/**
 * Qualifies for a page. Codes are as valuable as money. A guessed source id would reveal the codes of a customer, so a
 * project must allow that. Pages never see standalone codes and gift cards, because anyone could read them there.
 */
export async function qualifyFromBrowser(
  context: Qualifying & { readonly caller: Caller },
  body: v.InferOutput<typeof browserQualificationBody>,
): Promise<Qualification> {
  const { wallet: isWalletShown } = context.project.client;
  if (body.scenario === 'CUSTOMER_WALLET' && !isWalletShown) {
    throw new ServiceError('client_side_disabled', {
      details: 'the project does not show pages what a customer holds: its switch client.wallet is off',
    });
  }
  return qualify(
    context,
    { ...body, order: readBrowserOrder(body) },
    { askedBy: describeAskingBrowser(context.caller), isWalletShown, areCodesShown: false, areNotesShown: false },
  );
}
