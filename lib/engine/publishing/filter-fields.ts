import type { ListedPublication } from '#engine/vouchers/publication.ts';
import type { FilterFields } from '#kernel/kit/filters/fields.ts';

/** Fields by which publications can be filtered. */
export const publicationFields: FilterFields<ListedPublication> = {
  failure_code: 'text',
  result: 'text',
  customer_id: 'text',
  campaign_name: { type: 'text', at: ({ campaign }: ListedPublication) => campaign },
  voucher_type: 'text',
  is_referral_code: 'boolean',
  parent_object_id: { type: 'text', at: ({ campaign_id }: ListedPublication) => campaign_id },
  related_object_id: { type: 'list', at: ({ vouchers }: ListedPublication) => vouchers.map(({ id }) => id) },
  source_id: 'text',
};
