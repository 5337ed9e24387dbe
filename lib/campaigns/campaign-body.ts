import * as v from 'valibot';
import { categoryEntries, namesOneCategory, oneOfBoth } from '../categories/choice.ts';
import { array, duration, longText, nullable, object, sentMetadata } from '../schema.ts';
import { discount } from '../terms/discount.ts';
import { areInOrder, datesOutOfOrder, validityEntries } from '../validity/dates.ts';

/** Of fields of metadata in one change. */
const maxUnset = 5_000;

/** What bodies of creation and of changes have in common. */
export const commonFields = {
  description: nullable(longText),
  ...validityEntries,
  activity_duration_after_publishing: nullable(duration),
  ...categoryEntries,
  metadata: nullable(sentMetadata),
  access_settings: nullable(sentMetadata),
};

/** What depends on the stored campaign is checked in the use case. */
export const updateCampaignBody = v.pipe(
  object({
    ...commonFields,
    auto_join: v.optional(v.boolean()),
    join_once: v.optional(v.boolean()),
    // STANDALONE is refused with a key of its own.
    type: v.optional(v.picklist(['AUTO_UPDATE', 'STATIC', 'STANDALONE'])),
    unset_metadata_fields: nullable(array(v.string(), maxUnset)),
    discount: nullable(discount),
  }),
  v.forward(v.partialCheck([['category'], ['category_id']], namesOneCategory, oneOfBoth), ['category']),
  v.forward(v.partialCheck([['start_date'], ['expiration_date']], areInOrder, datesOutOfOrder), ['expiration_date']),
);

export type UpdateCampaignBody = v.InferOutput<typeof updateCampaignBody>;
