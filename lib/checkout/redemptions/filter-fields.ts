import type { FilterFields } from '../../kit/filters/fields.ts';
import type { ListedRedemption } from './redemption.ts';

/** Fields by which redemptions can be filtered. */
export const redemptionFields: FilterFields<ListedRedemption> = {
  voucher_code: 'text',
  related_object_id: 'text',
  related_object_parent_id: 'text',
  parent_redemption_id: { type: 'text', at: ({ redemption }: ListedRedemption) => redemption },
  failure_code: 'text',
  result: 'text',
  object: 'text',
  customer_id: 'text',
  campaign_name: { type: 'text', at: ({ campaign }: ListedRedemption) => campaign },
  // Keys have no user, because nobody logs in to redeem.
  user_login: { type: 'text', at: () => undefined },
};
