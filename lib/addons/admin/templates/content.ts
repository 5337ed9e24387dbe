import * as v from 'valibot';
import { campaignDefinition, campaignVoucher } from '#engine/campaigns/campaign.ts';
import { collection } from '#engine/catalogue/collections/resource.ts';
import { location } from '#engine/catalogue/locations/location.ts';
import { product, sku } from '#engine/catalogue/products/resource.ts';
import { segment } from '#engine/customers/segments/segment.ts';
import { validationRule } from '#engine/rules/resource.ts';
import { described, named } from '#kernel/core/documented.ts';
import { array, identifier, metadata, object, text } from '#kernel/core/schema.ts';

/** Describes the contents that a template copies. The copies stay when their originals change or disappear. */

const { description, type, start_date, expiration_date, validity_timeframe, validity_day_of_week } = campaignDefinition;
const { validity_hours, activity_duration_after_publishing, client_publication } = campaignDefinition;

// Stored texts may be longer than requests may send. A new template is checked as a body.
export const templateSettings = object({
  description,
  banner: v.optional(text),
  type: v.optional(type),
  join_once: v.optional(v.boolean()),
  use_voucher_metadata_schema: v.optional(v.boolean()),
  start_date,
  expiration_date,
  validity_timeframe,
  validity_day_of_week,
  validity_hours,
  activity_duration_after_publishing,
  client_publication,
  metadata: v.optional(metadata),
  voucher: campaignVoucher,
});

interface Counted {
  created_at: unknown;
  updated_at: unknown;
  revision: unknown;
  children: unknown;
}

/** Returns the entries of a stored resource without its dates and counters. */
function ownEntries<E extends Counted>({ created_at, updated_at, revision, children, ...own }: E) {
  return own;
}

const { id: _, ...ofRule } = ownEntries(validationRule.stored.entries);
const ofSegment = segment.stored.entries;

/** A template has at most this many rules, like a promotion tier. */
export const maxRules = 20;

/** One transaction creates all copies, so their real limit is its size. */
export const maxCopies = 100;

export const templateContent = named(
  'CampaignTemplateContent',
  object({
    settings: described(templateSettings, 'The settings that campaigns and tiers get.'),
    validation_rules: v.optional(array(object(ofRule), maxRules, 'rules'), []),
    products: v.optional(array(object(ownEntries(product.stored.entries)), maxCopies, 'products'), []),
    skus: v.optional(array(object(ownEntries(sku.stored.entries)), maxCopies, 'SKUs'), []),
    product_collections: described(
      v.optional(array(object(ownEntries(collection.stored.entries)), maxCopies, 'collections'), []),
      'The collections that the rules name.',
    ),
    locations: described(
      v.optional(array(object(ownEntries(location.stored.entries)), maxCopies, 'locations'), []),
      'The locations that the rules, and the filters of their segments and collections, name.',
    ),
    segments: v.optional(
      array(
        object({
          id: identifier,
          name: ofSegment.name,
          type: v.picklist(['auto-update', 'passive']),
          filter: ofSegment.filter,
        }),
        maxCopies,
        'segments',
      ),
      [],
    ),
  }),
);

export type TemplateContent = v.InferOutput<typeof templateContent>;
export type TemplateSettings = v.InferOutput<typeof templateSettings>;
