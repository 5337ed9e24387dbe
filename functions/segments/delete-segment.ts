import { deleteSegment } from '#engine/customers/segments/save-segment.ts';
import { operation } from '#kernel/http/operation.ts';
import { empty } from '#kernel/http/route.ts';

export const handler = operation(
  {
    route: 'DELETE /v1/segments/{segmentId}',
    scope: 'segments',
    summary: 'Delete a segment',
    note: 'The members stay customers, and no event says that they left the segment.',
    answers: 'The object is deleted. The reply has no body.',
    reply: empty,
    errors: ['not_found'],
    example: { params: { segmentId: 'seg_first_row' } },
  },
  (call) => deleteSegment(call, call.params.segmentId),
);
