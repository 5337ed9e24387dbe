import { segment } from '../../lib/customers/segments/segment.ts';
import { operation } from '../../lib/http/operation.ts';
import { get } from '../../lib/kit/resource/plain.ts';

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
