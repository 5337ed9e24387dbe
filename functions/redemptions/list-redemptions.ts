import { listRedemptions, listRedemptionsQuery } from '#engine/checkout/redemptions/list-redemptions.ts';
import { redemptionList } from '#engine/checkout/redemptions/present-redemption.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/redemptions',
    scope: 'redemptions',
    summary: 'List redemptions',
    note:
      'Lists redemptions and rollbacks, including failures, the newest first unless `order` says otherwise. `id`, ' +
      '`voucher_code` and `tracking_id` sort only the newest 10,000. Filters look at 10,000 redemptions.',
    query: listRedemptionsQuery,
    answers: 'A page of the redemptions.',
    reply: redemptionList,
    example: { query: 'result=SUCCESS&filters[object][conditions][$is]=redemption' },
  },
  (call) => listRedemptions(call, call.query),
);
