import { listMemberActivity, memberActivityQuery } from '#engine/checkout/activities/list-member-activity.ts';
import { activityPage } from '#engine/customers/list-activity.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/loyalties/members/{memberId}/activity',
    scope: 'loyalties',
    summary: 'Walk the activities of a member by card code or id',
    note: "Lists the activities of the card's holder. Returns the newest first unless `order` says otherwise.",
    query: memberActivityQuery,
    answers: 'A page of the activities about the card.',
    reply: activityPage,
    errors: ['not_found'],
    example: { params: { memberId: 'CREW-INGRID' } },
  },
  (call) => listMemberActivity(call, call.params, call.query),
);
