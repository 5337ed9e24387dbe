import * as v from 'valibot';
import { listPromotionTiers, tierQuery } from '#engine/campaigns/promotions/list-tiers.ts';
import { promotionTier } from '#engine/campaigns/promotions/promotion-tier.ts';
import type { EventBody, EventRecord } from '#engine/loyalty/events/event-body.ts';
import { sendEvent } from '#engine/loyalty/events/send-event.ts';
import type { Publication } from '#engine/publishing/present-publication.ts';
import {
  type AskedPublication,
  type PublicationSent,
  readAskedPublication,
} from '#engine/publishing/publication-body.ts';
import { publish } from '#engine/publishing/publish.ts';
import { described, named } from '#kernel/core/documented.ts';
import { ServiceError } from '#kernel/core/errors.ts';
import { isBrowser, type Showing, type Writing } from '#kernel/http/context.ts';
import { hidePerson, limitCustomer, readBrowserRights } from './customer-rights.ts';

/**
 * Answers pages with the use cases of servers, without the data that is hidden from browsers. A page's key and a
 * guessed source id suffice for a request.
 */

const { summary, validation_rule_assignments, ...shownToPages } = promotionTier.entries;

/** Shows a tier without its turnover and its rules. */
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

/** Accepts `is_available`, as servers send it. */
export const clientTierQuery = v.object({
  ...tierQuery.entries,
  is_available: described(onlyTrue, 'Only tiers that can be used now are shown to pages.'),
});

/** Lists available tiers only. A page must not see inactive, past or future tiers. */
export function listTiersForBrowsers(
  context: Showing,
  query: v.InferOutput<typeof clientTierQuery>,
): Promise<v.InferOutput<typeof clientTierList>> {
  return listPromotionTiers(context, query);
}

export async function sendEventFromBrowser(context: Writing, body: EventBody): Promise<EventRecord> {
  const { project } = context;
  if (body.referral && !project.client.referrals) {
    throw new ServiceError('client_side_disabled', {
      details: 'referral must not be sent: the switch client.referrals of the project is off',
    });
  }
  const customer = limitCustomer(project, body.customer);
  const record = await sendEvent(context, { ...body, customer }, readBrowserRights(project));
  return { ...record, customer: hidePerson(record.customer) };
}

/** Limits a page's publication to one voucher for each customer, without metadata, because formulas use the metadata of vouchers. */
function publishedOnce({ project }: Writing, asked: AskedPublication): AskedPublication {
  return {
    ...asked,
    customer: { ...limitCustomer(project, asked.customer), browserRights: readBrowserRights(project) },
    metadata: {},
    joinOnce: true,
    isFromBrowser: true,
  };
}

/** Publishes for a page within its limits. A server that calls the path with its own key has no such limits. */
export async function publishToBrowser(context: Writing, sent: PublicationSent): Promise<Publication> {
  const isFromBrowser = isBrowser(context.caller);
  const asked = readAskedPublication(
    sent,
    isFromBrowser ? { atMost: 1, why: 'a page publishes a single voucher' } : {},
  );
  const { customer, ...publication } = await publish(context, isFromBrowser ? publishedOnce(context, asked) : asked);
  return { ...publication, ...(customer ? { customer: hidePerson(customer) } : {}) };
}
