import { presentBriefly } from '#engine/customers/brief-customer.ts';
import type { CustomerItem } from '#engine/customers/customer.ts';
import { findHeldCards } from '#engine/customers/find-customer.ts';
import { type BrowserRights, findUpserted, type Upsert, writeUpsert } from '#engine/customers/upsert-customer.ts';
import { activityTypes, readOccasion } from '#engine/ledger/activities/activity.ts';
import { recordActivity } from '#engine/ledger/activities/record-activities.ts';
import { readSchemaId } from '#engine/ledger/earning-events.ts';
import { postToGifts } from '#engine/vouchers/gift-credit.ts';
import type { Writing } from '#kernel/http/context.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { gainEffects } from '../earning/card-earnings.ts';
import { Programmes } from '../earning/earning-programmes.ts';
import { commitEarnings, computeGains, settleGains } from '../earning/gains.ts';
import { addRewardPoints, findCredits, hasNewCard, readReferrers } from '../referrals/rewards.ts';
import { countEvent } from './count-event.ts';
import type { EventBody, EventRecord } from './event-body.ts';
import { checkMetadata, findEvent } from './event-schema.ts';
import { countConversion } from './referral.ts';

function present({ event, metadata }: EventBody, customer: CustomerItem): EventRecord {
  return {
    object: 'event',
    type: event,
    customer: presentBriefly(customer),
    referral: null,
    loyalty: null,
    metadata: metadata ?? {},
  };
}

/** Returns the facts for rules. They contain nothing that a browser sends, because a client key is public. */
function judgedBy(
  { before, after }: Upsert,
  metadata: Record<string, unknown>,
  browserRights: BrowserRights | undefined,
) {
  const isFromBrowser = browserRights !== undefined;
  const customer = isFromBrowser ? before : after;
  return {
    isFromBrowser,
    metadata: isFromBrowser ? {} : metadata,
    customerMetadata: customer?.metadata ?? {},
    customerBirthdate: customer?.birthdate,
  };
}

/**
 * Sends an event. One transaction has the customer, the activities, the points, the conversion and its reward. Fails with
 * `event_not_defined`, `metadata_validation_failed`, 404 for a missing customer, card or code, or the reason why a card or code cannot be
 * used. `browserRights` is present if a browser sends the event.
 */
export async function sendEvent(
  context: Writing,
  body: EventBody,
  browserRights?: BrowserRights,
): Promise<EventRecord> {
  const { table, project } = context;
  const { event, loyalty, referral } = body;
  const metadata = body.metadata ?? {};
  checkMetadata(await findEvent(table, project, event), metadata);
  const occasion = readOccasion(context);

  const programmes = new Programmes(context);
  return retryOptimistically(table, async () => {
    const sender = await findUpserted(context, { ...body.customer, browserRights });
    const { before, after } = sender;
    const customerId = after.id;
    const data = {
      event: { type: event, metadata, object: 'event' },
      event_schema: { id: readSchemaId(event), name: event, object: 'custom-event-schema' },
      ...(loyalty ? { loyalty } : {}),
      ...(referral ? { referral } : {}),
    };
    const conversion = referral ? await countConversion(context, { event, ...referral }, after, occasion) : undefined;
    const { referrals = [], rewards = [], owed = [], effects: ofReferrer = [] } = conversion ?? {};
    // The cards are read after the customer, whose revision changes if a card is created between the two reads.
    const held = before && (!loyalty || rewards.length > 0) ? await findHeldCards(context, customerId) : [];
    const judged = judgedBy(sender, metadata, browserRights);
    const occurrence = { event, ...judged, customerId, held };
    const earned = await computeGains(context, programmes, occurrence, loyalty?.code);
    const rewarded = [{ customerId, held, rewards }, ...(await readReferrers(context, owed))];
    const gains = await addRewardPoints(context, programmes, earned, rewarded);
    const { gifts, made, madeFor } = await findCredits(context, programmes, rewarded);
    if (await settleGains(context, gains)) return again;
    const getsCard = madeFor.includes(customerId) || hasNewCard(gains, customerId);
    const effects = [
      ...writeUpsert(context, sender, occasion, { referrals, getsCard }),
      ...recordActivity(project.id, customerId, occasion, { type: activityTypes.customEvent, data }),
      countEvent(project.id, customerId, before, event),
      ...gains.flatMap((gain) => gainEffects(context, gain, occurrence, occasion)),
      ...postToGifts(project.id, gifts, occasion),
      ...made,
      ...ofReferrer,
    ];
    const done = await commitEarnings(table, effects, {
      by: 'the earning rules for this event',
      size: 'metadata would make the customer',
    });
    return done ? present(body, after) : again;
  });
}
