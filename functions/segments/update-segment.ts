import { updateSegment } from '#engine/customers/segments/save-segment.ts';
import { segment } from '#engine/customers/segments/segment.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'PUT /v1/segments/{segmentId}',
    scope: 'segments',
    summary: 'Update a passive segment',
    note: 'Changes the sent fields. Only a passive segment can be changed. The new filter applies immediately.',
    answers: 'The segment.',
    body: segment.updateBody,
    reply: segment.reply,
    errors: ['not_found', 'invalid_payload'],
    example: { params: { segmentId: 'seg_dark_roast' }, body: { name: 'Dark roasts' } },
  },
  (call) => updateSegment(call, call.params.segmentId, call.body),
);
