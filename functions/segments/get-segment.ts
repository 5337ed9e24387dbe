import { operation } from '../../lib/http/operation.ts';
import { get } from '../../lib/resource/plain.ts';
import { segment } from '../../lib/segments/segment.ts';

export const handler = operation(
  {
    route: 'GET /v1/segments/{segmentId}',
    scope: 'segments',
    summary: 'Get a segment',
    answers: 'The segment.',
    reply: segment.reply,
    errors: ['not_found'],
    example: { params: { segmentId: 'seg_regulars' } },
  },
  (call) => get(call, segment, call.params.segmentId),
);
