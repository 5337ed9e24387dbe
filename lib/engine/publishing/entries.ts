import * as v from 'valibot';
import {
  campaignJoins,
  listedPublication,
  placePublication,
  publicationItem,
  publicationSources,
  publications,
} from '#engine/vouchers/publication.ts';
import { idPrefixes } from '#kernel/core/ids.ts';
import { code, dateTime, identifier, metadata, nullable, object, shortText } from '#kernel/core/schema.ts';
import { makePointer } from '#kernel/kit/entries/item-write.ts';
import { describeList, listAttributes } from '#kernel/kit/entries/list.ts';
import { parseStored } from '#kernel/table/item.ts';
import { publication } from './present-publication.ts';

const { asked, result, voucher_type, is_referral_code } = publicationItem.entries;

const entry = object({
  id: v.optional(identifier),
  created_at: v.optional(dateTime),
  /** A publication of the past stays, even if its customer, campaign or vouchers were deleted. */
  customer_id: nullable(identifier),
  tracking_id: nullable(identifier),
  campaign_id: nullable(identifier),
  campaign: nullable(identifier),
  vouchers: v.optional(v.array(code), []),
  source_id: nullable(identifier),
  channel: v.optional(shortText, 'API'),
  result,
  asked: v.optional(asked, 'voucher'),
  failure_code: nullable(identifier),
  failure_message: nullable(shortText),
  voucher_type,
  is_referral_code,
  metadata: v.optional(metadata, {}),
  /** True if the customer has received no other voucher of the campaign since. */
  latest: v.optional(v.boolean()),
});

const kept = object(publicationItem.entries);

/** An existing publication never changes, because it is history. */
export const publicationEntries = describeList('publications', entry, {
  called: 'publication',
  number: 'many',
  // Vouchers copy the values that formulas need.
  stage: 1,
  names: ['id', 'source_id'],
  prefix: idPrefixes.publication,
  shown: publication,
  unique: [{ field: 'source_id', claim: publicationSources, holds: 'publication_id' }],
  items({ latest, vouchers, ...one }, { id, projectId, now, voucherId }) {
    const given = vouchers.map((code) => ({ id: voucherId(code), code }));
    const fields = { ...one, id, vouchers: given, created_at: one.created_at ?? now };
    const item = listAttributes(kept, fields);
    const { customer_id, campaign_id } = one;
    return [
      {
        key: publications(projectId, id),
        item,
        once: Object.keys(item),
        places: (stored) => placePublication(projectId, parseStored(listedPublication, stored)),
      },
      ...(latest && customer_id && campaign_id
        ? [makePointer(campaignJoins(projectId, campaign_id, customer_id), { publication_id: id })]
        : []),
    ];
  },
  kinds: [publications.kind],
  needs: ({ customer_id, campaign_id }, projectId) =>
    customer_id && campaign_id ? [campaignJoins(projectId, String(campaign_id), String(customer_id))] : [],
  entries(item, plain, { projectId, at }) {
    const { id, customer_id = '', campaign_id = '', vouchers } = parseStored(publicationItem, item);
    const isLatest = at(campaignJoins(projectId, campaign_id, customer_id))?.publication_id === id;
    return [{ ...plain, vouchers: vouchers.map(({ code }) => code), ...(isLatest ? { latest: true } : {}) }];
  },
});
