import { listSegmentActivities, segmentActivitiesListed } from '#engine/customers/segments/activities.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/segments/{segmentId}/activities',
    scope: 'segments',
    summary: "List a segment's activities",
    note:
      'A segment has an activity for its creation, for each change of its name and of its filter, and for its ' +
      'activation. A segment of a project file has none for its creation.',
    answers: 'A page of the activities.',
    query: segmentActivitiesListed.query,
    reply: segmentActivitiesListed.reply,
    errors: ['not_found'],
    example: { params: { segmentId: 'seg_regulars' } },
  },
  (call) => listSegmentActivities(call, call.params.segmentId, call.query),
);
