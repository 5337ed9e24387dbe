import type { Fields } from '../../kit/filters/fields.ts';
import type { ListedRedemption } from './redemption.ts';

/** By what redemptions can be filtered. */
export const redemptionFields: Fields<ListedRedemption> = {
  voucher_code: 'text',
  related_object_id: 'text',
  related_object_parent_id: 'text',
  parent_redemption_id: { type: 'text', at: ({ redemption }: ListedRedemption) => redemption },
  failure_code: 'text',
  result: 'text',
  object: 'text',
  customer_id: 'text',
  campaign_name: { type: 'text', at: ({ campaign }: ListedRedemption) => campaign },
  // Nobody logs in to redeem: keys have no user.
  user_login: { type: 'text', at: () => undefined },
};
