import { completeActivities } from '#engine/checkout/activities/complete-activities.ts';
import { activity, listActivities, listActivitiesQuery } from '#engine/customers/list-activities.ts';
import { listEnvelope } from '#kernel/core/schema.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/customers/{customerId}/activities',
    scope: 'customers',
    summary: "List a customer's activities",
    note: 'Returns the newest first unless `order` says otherwise. Read on with `starting_after_id`.',
    query: listActivitiesQuery,
    answers: 'A page of the activities.',
    reply: listEnvelope(activity),
    errors: ['not_found'],
    example: { params: { customerId: 'crm-101' } },
  },
  (call) => listActivities(call, call.params.customerId, call.query, completeActivities),
);
