import { deleteSegment } from '../../lib/customers/segments/save-segment.ts';
import { operation } from '../../lib/http/operation.ts';
import { empty } from '../../lib/http/route.ts';

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
