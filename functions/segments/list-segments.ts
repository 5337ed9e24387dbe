import { listSegments } from '#engine/customers/segments/list-segments.ts';
import { segment } from '#engine/customers/segments/segment.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/segments',
    scope: 'segments',
    summary: 'List the segments of the project',
    note: 'Returns the newest first unless `order` says otherwise.',
    answers: 'A page of the segments.',
    query: segment.listQuery,
    reply: segment.listReply,
    example: { query: 'filters[type][conditions][$is]=passive' },
  },
  (call) => listSegments(call, call.query),
);
