import { listMembers, listMembersQuery } from '#engine/loyalty/members/list-members.ts';
import { vouchersListed } from '#engine/vouchers/search/list-vouchers.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/loyalties/{campaignId}/members',
    scope: 'loyalties',
    summary: 'List the members of a loyalty campaign',
    note:
      'Lists the cards of the campaign, the newest first unless `order` says otherwise. Filters work as for ' +
      'vouchers. Cards without a holder are included.',
    query: listMembersQuery,
    answers: 'A page of the cards.',
    reply: vouchersListed.reply,
    errors: ['not_found'],
    example: { params: { campaignId: 'Harbour Crew' }, query: 'customer=crm-101' },
  },
  (call) => listMembers(call, call.params.campaignId, call.query),
);
