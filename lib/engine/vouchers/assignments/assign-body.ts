import * as v from 'valibot';
import { relatedObjectType } from '#engine/rules/assignment.ts';
import { described } from '#kernel/core/documented.ts';
import { nullable, object, reference } from '#kernel/core/schema.ts';
import type { RelatedName } from './related-object.ts';

/** Older clients name a voucher, campaign or tier under its own key. */
const older = ['voucher', 'campaign', 'promotion_tier'] as const;

const entries = object({
  related_object_type: described(nullable(relatedObjectType), 'The type of the object that gets the rule.'),
  related_object_id: described(nullable(reference), 'The id of the object. A voucher can also be named by its code.'),
  voucher: described(nullable(reference), 'The id or code of a voucher, in place of type and id.'),
  campaign: described(nullable(reference), 'The id of a campaign, in place of type and id.'),
  promotion_tier: described(nullable(reference), 'The id of a promotion tier, in place of type and id.'),
});

function listNames(body: v.InferOutput<typeof entries>): RelatedName[] {
  const { related_object_type: type, related_object_id: id } = body;
  const own = older.flatMap((type): RelatedName[] => {
    const id = body[type];
    return id ? [{ type, id }] : [];
  });
  return type && id ? [{ type, id }, ...own] : own;
}

function isWhole({ related_object_type: type, related_object_id: id }: v.InferOutput<typeof entries>): boolean {
  return !type === !id;
}

export const assignRuleBody = v.pipe(
  entries,
  v.check(isWhole, 'must have related_object_type and related_object_id together'),
  v.check(
    (body) => !isWhole(body) || listNames(body).length === 1,
    'must name one object, by related_object_type and related_object_id',
  ),
);

/** Returns the object that a checked body names. */
export function readRelatedName(body: v.InferOutput<typeof entries>): RelatedName {
  const [name] = listNames(body);
  if (!name) throw new Error('the body of an assignment names nothing');
  return name;
}
