import * as v from 'valibot';
import { dateTime, metadata } from '../core/schema.ts';
import type { Attributes } from '../table/item.ts';
import { kind } from '../table/kind.ts';
import { listIndexes, listing, placed, sortKey, unplaced } from '../table/listing.ts';
import { voucherType } from './voucher.ts';

const optionalText = v.optional(v.string());

/** What lists know of a publication without reading it. */
export const listedPublication = v.object({
  id: v.string(),
  created_at: dateTime,
  /** Of one that failed, only where the customer was there. */
  customer_id: optionalText,
  /** The customer's source id when it was made. */
  tracking_id: optionalText,
  channel: v.string(),
  source_id: optionalText,
  result: v.picklist(['SUCCESS', 'FAILURE']),
  failure_code: optionalText,
  /** None where it failed. */
  vouchers: v.array(v.object({ id: v.string(), code: v.string() })),
  campaign_id: optionalText,
  campaign: optionalText,
  voucher_type: v.optional(voucherType),
  is_referral_code: v.optional(v.boolean()),
});

export type ListedPublication = v.InferOutput<typeof listedPublication>;

export const publicationItem = v.object({
  ...listedPublication.entries,
  /** Whether the request named the voucher, or any of a campaign. */
  asked: v.picklist(['voucher', 'campaign']),
  failure_message: optionalText,
  metadata: v.optional(metadata, {}),
});

export type PublicationItem = v.InferOutput<typeof publicationItem>;

export const publications = kind('PUBLICATION', publicationItem);

const claim = v.object({ publication_id: v.string() });

/** Which publication a caller's source id is of. */
export const publicationSources = kind('PUBLICATION_SOURCE', claim);

/** By campaign and customer: the last publication by which they got something of it. Of those at once that may get one, one does. */
export const campaignJoins = kind<typeof claim, [campaignId: string, customerId: string]>('PUBLICATION_JOIN', claim);

/** Publications of a project, or of one campaign, come 8,000 times a second at most. Lists keep what stands in fewer partitions. */
const spread = { shards: 8 };

export const publicationLists = {
  created_at: listing(listIndexes.first, 'PUBLICATIONS_BY_CREATION', { ...spread, counted: true }),
  ofCampaign: listing(listIndexes.second, 'PUBLICATIONS_OF_CAMPAIGN', spread),
  customer_id: listing(listIndexes.third, 'PUBLICATIONS_BY_CUSTOMER', spread),
  voucher_code: listing(listIndexes.fourth, 'PUBLICATIONS_BY_CODE', spread),
};

export type PublicationOrder = 'created_at' | 'id' | 'customer_id' | 'voucher_code' | 'tracking_id' | 'channel';

/** What an order goes by; ids sort by creation, and one of several vouchers stands at the first. */
export function placeIn(order: PublicationOrder, listed: ListedPublication): string[] {
  const { id, created_at, customer_id = '', tracking_id = '', channel, vouchers } = listed;
  if (order === 'id') return [id];
  const values = { created_at, customer_id, tracking_id, channel, voucher_code: vouchers[0]?.code ?? '' };
  return [values[order], id];
}

/** Where those of a customer stand in the list by customers; ids of others may begin the same, up to a `#`. */
export function boundsOfCustomer(customerId: string): { from: string; to: string } {
  const place = sortKey(customerId);
  // `$` follows `#`, which follows the id.
  return { from: `${place}#`, to: `${place}$` };
}

/** The attributes by which it stands in its lists. */
export function publicationPlaces(projectId: string, item: ListedPublication): Attributes {
  const { campaign_id } = item;
  const byOrder = (order: 'created_at' | 'customer_id' | 'voucher_code') =>
    placed(publicationLists[order], [projectId], placeIn(order, item));
  return {
    ...byOrder('created_at'),
    ...byOrder('customer_id'),
    ...byOrder('voucher_code'),
    ...(campaign_id
      ? placed(publicationLists.ofCampaign, [projectId, campaign_id], placeIn('created_at', item))
      : unplaced(publicationLists.ofCampaign)),
    listed: v.parse(listedPublication, item),
  };
}
