import { deleteSegment } from '../../lib/customers/segments/save-segment.ts';
import { operation } from '../../lib/http/operation.ts';
import { empty } from '../../lib/http/route.ts';

export const handler = operation(
  {
    route: 'DELETE /v1/segments/{segmentId}',
    scope: 'segments',
    summary: 'Delete a segment',
    note: 'Its members stay customers, and nobody is told that they have left it.',
    answers: 'Deleted: the reply has no body.',
    reply: empty,
    errors: ['not_found'],
    example: { params: { segmentId: 'seg_first_row' } },
  },
  (call) => deleteSegment(call, call.params.segmentId),
);
