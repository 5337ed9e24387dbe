import { listRedemptions, listRedemptionsQuery } from '../../lib/checkout/redemptions/list-redemptions.ts';
import { redemptionList } from '../../lib/checkout/redemptions/present-redemption.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/redemptions',
    scope: 'redemptions',
    summary: 'List redemptions',
    note:
      'Redemptions and rollbacks, also those that failed; newest first unless `order` says otherwise. `id`, `voucher_code` and ' +
      '`tracking_id` sort the newest 10,000; filters look through 10,000.',
    query: listRedemptionsQuery,
    answers: 'A page of the redemptions.',
    reply: redemptionList,
    example: { query: 'result=SUCCESS&filters[object][conditions][$is]=redemption' },
  },
  (call) => listRedemptions(call, call.query),
);
