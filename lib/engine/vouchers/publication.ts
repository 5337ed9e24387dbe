import * as v from 'valibot';
import { dateTime, metadata } from '#kernel/core/schema.ts';
import type { Attributes } from '#kernel/table/item.ts';
import { kind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { clearPlace, listIndexes, listing, placeInList, sortKey } from '#kernel/table/listing.ts';
import { voucherType } from './voucher.ts';

const optionalText = v.optional(v.string());

/** Lists hold these fields of a publication, so that they need no read. */
export const listedPublication = v.object({
  id: v.string(),
  created_at: dateTime,
  /** Is absent if the publication failed and the customer did not exist. */
  customer_id: optionalText,
  /** Holds the customer's source id at the time of the publication. */
  tracking_id: optionalText,
  channel: v.string(),
  source_id: optionalText,
  result: v.picklist(['SUCCESS', 'FAILURE']),
  failure_code: optionalText,
  /** Is empty if the publication failed. */
  vouchers: v.array(v.object({ id: v.string(), code: v.string() })),
  campaign_id: optionalText,
  campaign: optionalText,
  voucher_type: v.optional(voucherType),
  is_referral_code: v.optional(v.boolean()),
});

export type ListedPublication = v.InferOutput<typeof listedPublication>;

export const publicationItem = v.object({
  ...listedPublication.entries,
  /** Records whether the request named the voucher, or any voucher of a campaign. */
  asked: v.picklist(['voucher', 'campaign']),
  failure_message: optionalText,
  metadata: v.optional(metadata, {}),
});

export type PublicationItem = v.InferOutput<typeof publicationItem>;

export const publications = kind(kinds.publication, publicationItem);

const claim = v.object({ publication_id: v.string() });

/** Claims a caller's source id for one publication. */
export const publicationSources = kind(kinds.publicationSource, claim);

/** Names the last publication of a campaign for a customer. If one voucher is allowed, one of several concurrent requests succeeds. */
export const campaignJoins = kind<typeof claim, [campaignId: string, customerId: string]>(kinds.publicationJoin, claim);

/** A project, or a campaign, makes at most 8,000 publications a second. Entries that were placed in fewer partitions stay in the lists. */
const spread = { shards: 8 };

export const publicationLists = {
  created_at: listing(listIndexes.first, 'PUBLICATIONS_BY_CREATION', { ...spread, counted: true }),
  ofCampaign: listing(listIndexes.second, 'PUBLICATIONS_OF_CAMPAIGN', spread),
  customer_id: listing(listIndexes.third, 'PUBLICATIONS_BY_CUSTOMER', spread),
  voucher_code: listing(listIndexes.fourth, 'PUBLICATIONS_BY_CODE', spread),
};

export type PublicationOrder = 'created_at' | 'id' | 'customer_id' | 'voucher_code' | 'tracking_id' | 'channel';

/** Returns the place of a publication in an order. Ids sort by creation, and the first of several vouchers decides. */
export function placePublicationIn(order: PublicationOrder, listed: ListedPublication): string[] {
  const { id, created_at, customer_id = '', tracking_id = '', channel, vouchers } = listed;
  if (order === 'id') return [id];
  const values = { created_at, customer_id, tracking_id, channel, voucher_code: vouchers[0]?.code ?? '' };
  return [values[order], id];
}

/**
 * Returns the bounds of a customer's publications in the list by customers. Other ids may share the beginning, up to a
 * `#`.
 */
export function customerBounds(customerId: string): { from: string; to: string } {
  const place = sortKey(customerId);
  // `$` is the character after `#`, and `#` follows the id.
  return { from: `${place}#`, to: `${place}$` };
}

/** Returns the attributes that place a publication in its lists. */
export function placePublication(projectId: string, item: ListedPublication): Attributes {
  const { campaign_id } = item;
  const byOrder = (order: 'created_at' | 'customer_id' | 'voucher_code') =>
    placeInList(publicationLists[order], [projectId], placePublicationIn(order, item));
  return {
    ...byOrder('created_at'),
    ...byOrder('customer_id'),
    ...byOrder('voucher_code'),
    ...(campaign_id
      ? placeInList(publicationLists.ofCampaign, [projectId, campaign_id], placePublicationIn('created_at', item))
      : clearPlace(publicationLists.ofCampaign)),
    listed: v.parse(listedPublication, item),
  };
}
