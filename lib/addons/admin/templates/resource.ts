import * as v from 'valibot';
import { findDocumentFaults } from '#engine/rules/check.ts';
import { defined } from '#kernel/core/defined.ts';
import { described, named } from '#kernel/core/documented.ts';
import { array, dateTime, identifier, longText, object } from '#kernel/core/schema.ts';
import { optional, required, resource } from '#kernel/kit/resource/resource.ts';
import type { Values } from '#kernel/kit/resource/shape.ts';
import { templateContent } from './content.ts';

/** A list reads all templates of a project, and each may have up to 200 KB. */
const maxTemplates = 100;

const maxLinks = 400;

/** The kinds of resources that templates copy, as `object` spells them. */
export const copiedObject = v.picklist(['product', 'sku', 'products_collection', 'segment', 'location']);

const link = object({ object: copiedObject, of: identifier, id: identifier });

const name = required(identifier, 'The name that operators see.');
const description = optional(longText, 'For those who choose a template.');
export const templateKinds = v.picklist(['DISCOUNT_COUPONS', 'GIFT_VOUCHERS']);
const kind = required(templateKinds, 'The kind of campaigns that the template sets up.');

const withRules = v.object({ content: v.object({ validation_rules: v.array(v.looseObject({})) }) });

function* rules(entry: Values): Generator<string> {
  if (!v.is(withRules, entry)) return;
  for (const [index, rule] of entry.content.validation_rules.entries())
    for (const fault of findDocumentFaults(rule)) yield `content.validation_rules[${index}].${fault}`;
}

const plain = resource('campaign_template', {
  prefix: 'camp_tpl',
  number: 'few',
  most: maxTemplates,
  fields: {
    name,
    description,
    campaign_type: kind,
    content: required(templateContent, 'Copies of the settings, rules and resources of the source.'),
    links: optional(
      array(link, maxLinks, 'links'),
      'The resources of this project that stand for the copies. Further setups use them again.',
    ),
    source: optional(
      object({ campaign_id: v.optional(identifier), promotion_tier_id: v.optional(identifier) }),
      'The campaign or the promotion tier that was copied.',
    ),
  },
  unique: ['name'],
  fileKey: 'campaign_templates',
  rules,
});

const reply = named(
  'CampaignTemplate',
  v.object({
    id: v.string(),
    name: identifier,
    description: v.optional(longText),
    campaign_type: kind.schema,
    created_at: dateTime,
    updated_at: v.optional(dateTime),
    json_template: described(
      v.optional(templateContent),
      'What the template copies. Shown with `expand=json_template`.',
    ),
    object: v.literal('campaign_template'),
  }),
);

/** Describes a campaign template once. */
export const campaignTemplate = {
  ...plain,
  reply,
  fromReply: ({ json_template: content, ...shown }: Values) => ({ ...defined({ content }), ...shown }),
};

export type CampaignTemplate = v.InferOutput<typeof campaignTemplate.stored>;
export type ResourceLink = v.InferOutput<typeof link>;
