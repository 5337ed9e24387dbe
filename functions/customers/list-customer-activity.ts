import { completeActivities } from '#engine/checkout/activities/complete-activities.ts';
import { activityPage, listActivity, listActivityQuery } from '#engine/customers/list-activity.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/customers/{customerId}/activity',
    scope: 'customers',
    summary: "Walk a customer's activities",
    note:
      'Returns the newest first unless `order` says otherwise. While `has_more` is true, read on with ' +
      '`starting_after_id` and `more_starting_after`.',
    query: listActivityQuery,
    answers: 'A page of the activities.',
    reply: activityPage,
    errors: ['not_found'],
    example: { params: { customerId: 'crm-101' } },
  },
  (call) => listActivity(call, call.params.customerId, call.query, { complete: completeActivities }),
);
