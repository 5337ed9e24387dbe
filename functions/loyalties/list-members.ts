import { operation } from '../../lib/http/operation.ts';
import { listMembers, listMembersQuery } from '../../lib/loyalty/members/list-members.ts';
import { voucherList } from '../../lib/vouchers/search/list-vouchers.ts';

export const handler = operation(
  {
    route: 'GET /v1/loyalties/{campaignId}/members',
    scope: 'loyalties',
    summary: 'List the members of a loyalty campaign',
    note: 'Its cards, newest first unless `order` says otherwise, found and filtered as vouchers are. Those that nobody holds yet are among them.',
    query: listMembersQuery,
    answers: 'A page of the cards.',
    reply: voucherList,
    errors: ['not_found'],
    example: { params: { campaignId: 'Harbour Crew' }, query: 'customer=crm-101' },
  },
  (call) => listMembers(call, call.params.campaignId, call.query),
);
