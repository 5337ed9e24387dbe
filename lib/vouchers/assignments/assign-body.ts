import * as v from 'valibot';
import { described } from '../../core/documented.ts';
import { nullable, object, reference } from '../../core/schema.ts';
import { relatedObjectType } from '../../rules/validation-rules-assignment.ts';
import type { RelatedName } from './related-object.ts';

/** Older clients name a voucher, campaign or tier under its own key. */
const older = ['voucher', 'campaign', 'promotion_tier'] as const;

const entries = object({
  related_object_type: described(nullable(relatedObjectType), 'What it is assigned to.'),
  related_object_id: described(nullable(reference), 'Its id; of a voucher also its code.'),
  voucher: described(nullable(reference), 'The same for a voucher.'),
  campaign: described(nullable(reference), 'The same for a campaign.'),
  promotion_tier: described(nullable(reference), 'The same for a promotion tier.'),
});

function namesOf(body: v.InferOutput<typeof entries>): RelatedName[] {
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

export const assignBody = v.pipe(
  entries,
  v.check(isWhole, 'must have related_object_type and related_object_id together'),
  v.check(
    (body) => !isWhole(body) || namesOf(body).length === 1,
    'must name one object, by related_object_type and related_object_id',
  ),
);

/** Of a checked body. */
export function relatedIn(body: v.InferOutput<typeof entries>): RelatedName {
  const [name] = namesOf(body);
  if (!name) throw new Error('the body of an assignment names nothing');
  return name;
}
