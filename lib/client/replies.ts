import * as v from 'valibot';
import type { Showing, Writing } from '../context.ts';
import { named } from '../documented.ts';
import type { EventBody, EventRecord } from '../events/event-body.ts';
import { sendEvent } from '../events/send-event.ts';
import { listTiers, type TierQuery } from '../promotions/list-tiers.ts';
import type { Publication } from '../publications/present-publication.ts';
import type { Asked } from '../publications/publication-body.ts';
import { publish } from '../publications/publish.ts';
import { promotionTier } from '../tiers/promotion-tier.ts';

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

export function listTiersForPages(context: Showing, query: TierQuery): Promise<v.InferOutput<typeof clientTierList>> {
  return listTiers(context, query);
}

interface Person {
  readonly name: string | null;
  readonly email: string | null;
  readonly metadata: Record<string, unknown>;
}

/** Who they are is known by their ids alone. */
export function withoutPerson<C extends Person>(customer: C): C {
  return { ...customer, name: null, email: null, metadata: {} };
}

export async function sendEventFromPage(context: Writing, body: EventBody): Promise<EventRecord> {
  const record = await sendEvent(context, body);
  return { ...record, customer: withoutPerson(record.customer) };
}

export async function publishToPage(context: Writing, asked: Asked): Promise<Publication> {
  const { customer, ...publication } = await publish(context, asked);
  return { ...publication, ...(customer ? { customer: withoutPerson(customer) } : {}) };
}
