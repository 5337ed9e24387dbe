import * as v from 'valibot';
import { areDistinct } from '../../core/distinct.ts';
import { named } from '../../core/documented.ts';
import { array, count, dateTime, identifier, listEnvelope, nullable, object, reference } from '../../core/schema.ts';
import { optional, required, resource } from '../../kit/resource/resource.ts';
import { category } from '../../rules/categories/resource.ts';
import { projectKind } from '../../table/kind.ts';
import { kinds } from '../../table/kind-names.ts';

/** Promotion stacks: tiers of one campaign that are used together, in the order in which they are named. */

const maxTiers = 30;

const hierarchyMode = v.literal('MANUAL');

const tiers = object({
  ids: v.pipe(
    array(reference, maxTiers, 'tiers'),
    v.minLength(1, 'must name at least one tier'),
    v.check(areDistinct, 'must not have a tier twice'),
  ),
  hierarchy_mode: v.optional(hierarchyMode),
});

const fields = {
  name: required(identifier, 'The name that operators see.'),
  campaign_id: required(identifier, 'The campaign of its tiers.'),
  tiers: required(tiers, 'Its tiers, in the order in which they are applied.'),
  category_id: optional(identifier, 'Its category.'),
};

const plain = resource('promotion_stack', {
  prefix: 'stack',
  number: 'few',
  fields,
  orders: ['created_at', 'updated_at', 'name'],
  fileKey: 'promotion_stacks',
});

const reply = named(
  'PromotionStack',
  v.object({
    id: v.string(),
    name: v.string(),
    campaign_id: v.string(),
    tiers: v.object({ ids: v.array(v.string()), hierarchy_mode: v.optional(hierarchyMode) }),
    category_id: v.nullable(v.string()),
    categories: v.array(category.reply),
    created_at: dateTime,
    updated_at: v.optional(dateTime),
    object: v.literal('promotion_stack'),
  }),
);

/** Describes a promotion stack: the plain resource, with its own reply. */
export const promotionStack = { ...plain, reply };

export type PromotionStack = v.InferOutput<typeof plain.stored>;
export type ShownStack = v.InferOutput<typeof reply>;

export const stackList = named('PromotionStackList', listEnvelope(reply));

export const createStackBody = object({
  name: fields.name.schema,
  tiers: fields.tiers.schema,
  category_id: nullable(fields.category_id.schema),
});

export const updateStackBody = object(v.partial(v.object(createStackBody.entries)).entries);

export type CreateStackBody = v.InferOutput<typeof createStackBody>;
export type UpdateStackBody = v.InferOutput<typeof updateStackBody>;

/** Increases with each stack that names tiers, so that no such tier is deleted unseen. */
export const stackGuards = projectKind(kinds.promotionStacksGuard, v.object({ revision: count }));
