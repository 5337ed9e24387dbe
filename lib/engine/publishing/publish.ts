import { findProgrammes } from '#engine/campaigns/programme.ts';
import { findUpserted } from '#engine/customers/upsert-customer.ts';
import type { Occasion } from '#engine/ledger/activities/activity.ts';
import { readOccasion } from '#engine/ledger/activities/activity.ts';
import type { PublicationItem } from '#engine/vouchers/publication.ts';
import { ServiceError } from '#kernel/core/errors.ts';
import { newTimedId } from '#kernel/core/ids.ts';
import { checkBySchema } from '#kernel/core/metadata/check.ts';
import type { Writing } from '#kernel/http/context.ts';
import { type Again, readAfterWrite, retryOptimistically } from '#kernel/table/conflicts.ts';
import {
  checkNotRemoved,
  checkRepeated,
  findJoined,
  findPublicationBySource,
  type Joined,
} from './earlier-publications.ts';
import { notePublicationFailure } from './failed-publication.ts';
import { giveVouchers } from './give-vouchers.ts';
import { checkOpenToBrowsers } from './open-to-browsers.ts';
import { type Publication, showPublication } from './present-publication.ts';
import type { AskedPublication } from './publication-body.ts';
import { findTarget, type PublicationTarget } from './publication-target.ts';

/** Returns whether a customer gets only one voucher of the campaign. */
function isOnce({ joinOnce }: AskedPublication, { campaign }: PublicationTarget): boolean {
  return campaign !== undefined && (joinOnce || campaign.join_once || campaign.campaign_type === 'LOYALTY_PROGRAM');
}

/** Returns the customer's earlier voucher as the answer, unless the request names a different voucher. */
function repeatedByJoin(
  asked: AskedPublication,
  target: PublicationTarget,
  customerId: string,
  { publication, holds }: Joined,
): PublicationItem | undefined {
  const isSame =
    publication &&
    !asked.sourceId &&
    (!('item' in target) || publication.vouchers.some(({ id }) => id === target.item.id));
  if (isSame) return publication;
  // A simultaneous repeat of this request has committed since the source id was read.
  if (publication && asked.sourceId !== undefined && publication.source_id === asked.sourceId) {
    checkRepeated(asked, target, customerId, publication);
    return publication;
  }
  if (!holds) return undefined;
  throw new ServiceError('voucher_cannot_be_published', {
    details: 'the customer has a voucher of the campaign, and gets no other',
  });
}

function* faults(asked: AskedPublication, target: PublicationTarget): Generator<ServiceError> {
  const several = 'count' in target && target.count > 1;
  if (several && isOnce(asked, target)) {
    const details = 'campaign.count must be 1: a customer gets one voucher of the campaign';
    yield new ServiceError('too_many_vouchers_requested', { details });
  }
  if ('item' in target && target.item.holder_id) {
    const resource = { id: target.item.code, type: 'voucher' };
    yield new ServiceError('voucher_already_published', { details: 'the voucher has a holder', resource });
  }
}

async function attempt(
  context: Writing,
  asked: AskedPublication,
  occasion: Occasion,
): Promise<PublicationItem | Again> {
  const target = await findTarget(context, asked.target);
  if (asked.isFromBrowser) checkOpenToBrowsers(asked, target);
  const first = asked.sourceId === undefined ? undefined : await findPublicationBySource(context, asked.sourceId);
  // The read follows the publication, because a customer who is new in this attempt would differ from the first one's.
  const customer = await findUpserted(context, asked.customer);
  const { before, after } = customer;
  const { campaign } = target;
  if (first) {
    checkRepeated(asked, target, after.id, first);
    return first;
  }
  if (asked.sourceId !== undefined && context.project.retention.publications !== undefined) {
    await checkNotRemoved(context, asked.sourceId);
  }
  return notePublicationFailure(context, { asked, target, customer: before, occasion }, async () => {
    const once = campaign && isOnce(asked, target);
    const nothing = { claimed: undefined, publication: undefined, holds: false };
    const joined = once ? (before ? await findJoined(context, campaign.id, after.id) : nothing) : undefined;
    const earlier = joined && repeatedByJoin(asked, target, after.id, joined);
    if (earlier) return earlier;
    for (const fault of faults(asked, target)) throw fault;
    const isCard = campaign?.campaign_type === 'LOYALTY_PROGRAM';
    const programme = isCard ? (await findProgrammes(context, [campaign.id])).get(campaign.id) : undefined;
    const publicationId = newTimedId('publication', context.now);
    const { metadata } = asked;
    const whom = { publicationId, metadata, customerId: after.id };
    const giving = { ...whom, programme, campaign, occasion, lost: new Set<string>() };
    return giveVouchers(context, { asked, target, customer, joined, giving });
  });
}

/**
 * Gives a customer a named voucher, or free vouchers of a campaign, in a single transaction: publication, holder,
 * customer and activities. A repeated `source_id` gets the first publication again. Simultaneous requests never get the
 * same voucher.
 */
export async function publish(context: Writing, asked: AskedPublication): Promise<Publication> {
  // Browsers send no metadata.
  if (!asked.isFromBrowser)
    checkBySchema(context.project.schemas('publication'), asked.metadata, { place: 'metadata' });
  const occasion = readOccasion(context);
  const item = await retryOptimistically(context.table, () => attempt(context, asked, occasion));
  return readAfterWrite(() => showPublication(context, item));
}
