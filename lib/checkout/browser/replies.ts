import * as v from 'valibot';
import { listTiers, tierQuery } from '../../campaigns/promotions/list-tiers.ts';
import { promotionTier } from '../../campaigns/promotions/promotion-tier.ts';
import { described, named } from '../../core/documented.ts';
import { ServiceError } from '../../core/errors.ts';
import { isPage, type Showing, type Writing } from '../../http/context.ts';
import type { EventBody, EventRecord } from '../../loyalty/events/event-body.ts';
import { sendEvent } from '../../loyalty/events/send-event.ts';
import type { Publication } from '../../publishing/present-publication.ts';
import { type Asked, askedFor, type PublicationSent } from '../../publishing/publication-body.ts';
import { publish } from '../../publishing/publish.ts';
import { customerOfPage, pageRightsOf, withoutPerson } from './page-customer.ts';

/**
 * What pages are answered: the use cases of servers, without what anybody at a browser may not see. A page's key and a guessed source id
 * are all it takes to ask.
 */

const { summary, validation_rule_assignments, ...shownToPages } = promotionTier.entries;

/** Without its turnover and its rules. */
export const clientTier = named('ClientPromotionTier', v.object(shownToPages));

export const clientTierList = named(
  'ClientPromotionTierList',
  v.object({
    object: v.literal('list'),
    data_ref: v.literal('tiers'),
    tiers: v.array(clientTier),
    total: v.number(),
    has_more: v.boolean(),
  }),
);

const onlyTrue = v.optional(
  v.pipe(
    v.literal('true'),
    v.transform(() => true),
  ),
  'true',
);

/** `is_available` may be sent, as servers send it. */
export const clientTierQuery = v.object({
  ...tierQuery.entries,
  is_available: described(onlyTrue, 'Only tiers that can be used now are shown to pages.'),
});

/** What is off, over or yet to begin is no page's to know. */
export function listTiersForPages(
  context: Showing,
  query: v.InferOutput<typeof clientTierQuery>,
): Promise<v.InferOutput<typeof clientTierList>> {
  return listTiers(context, query);
}

export async function sendEventFromPage(context: Writing, body: EventBody): Promise<EventRecord> {
  const { project } = context;
  if (body.referral && !project.client.referrals) {
    throw new ServiceError('client_side_disabled', {
      details: 'referral must not be sent: the switch client.referrals of the project is off',
    });
  }
  const customer = customerOfPage(project, body.customer);
  const record = await sendEvent(context, { ...body, customer }, pageRightsOf(project));
  return { ...record, customer: withoutPerson(record.customer) };
}

/** Makes of what a page asks what it may have: one voucher for each customer, without metadata, for formulas see that of vouchers. */
function publishedOnce({ project }: Writing, asked: Asked): Asked {
  return {
    ...asked,
    customer: { ...customerOfPage(project, asked.customer), pageRights: pageRightsOf(project) },
    metadata: {},
    joinOnce: true,
    isOfPage: true,
  };
}

/** A server may call the path with its own key: it is no page. */
export async function publishToPage(context: Writing, sent: PublicationSent): Promise<Publication> {
  const isOfPage = isPage(context.caller);
  const asked = askedFor(sent, isOfPage ? { atMost: 1, why: 'a page publishes one' } : {});
  const { customer, ...publication } = await publish(context, isOfPage ? publishedOnce(context, asked) : asked);
  return { ...publication, ...(customer ? { customer: withoutPerson(customer) } : {}) };
}
