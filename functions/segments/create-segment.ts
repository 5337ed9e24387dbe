import { createSegment } from '#engine/customers/segments/save-segment.ts';
import { segment } from '#engine/customers/segments/segment.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/segments',
    scope: 'segments',
    summary: 'Create a segment',
    note:
      'A static segment has ids of up to 20,000 customers. An auto-update or passive segment has a filter. A ' +
      'project has at most 100 segments with a filter. The members of an auto-update segment are found after the ' +
      'reply. A long static segment is also completed after the reply.',
    answers: 'The segment.',
    body: segment.createBody,
    reply: segment.reply,
    errors: ['too_many_resources'],
    example: {
      body: {
        name: 'Big baskets',
        type: 'passive',
        filter: { junction: 'and', 'summary.orders.average_amount': { conditions: { $more_than: [20000] } } },
      },
    },
  },
  (call) => createSegment(call, call.body),
);
