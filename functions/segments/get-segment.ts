import { segment } from '#engine/customers/segments/segment.ts';
import { operation } from '#kernel/http/operation.ts';
import { getResource } from '#kernel/kit/resource/operations.ts';

export const handler = operation(
  {
    route: 'GET /v1/segments/{segmentId}',
    scope: 'segments',
    summary: 'Get a segment',
    note: 'The reply does not list the customers of the segment.',
    answers: 'The segment.',
    reply: segment.reply,
    errors: ['not_found'],
    example: { params: { segmentId: 'seg_regulars' } },
  },
  (call) => getResource(call, segment, call.params.segmentId),
);
