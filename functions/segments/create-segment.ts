import { createSegment } from '../../lib/customers/segments/save-segment.ts';
import { segment } from '../../lib/customers/segments/segment.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/segments',
    scope: 'segments',
    summary: 'Create a segment',
    note:
      'A static one takes ids of up to 20,000 customers, an auto-update or passive one a filter; a project has at most 100 with a ' +
      'filter. Who is in an auto-update segment, and all but the first of many in a static one, is found behind the request.',
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
