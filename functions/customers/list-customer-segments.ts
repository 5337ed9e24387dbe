import { listSegmentsOfCustomer } from '#engine/customers/segments/list-segments.ts';
import { segmentsOfCustomer } from '#engine/customers/segments/segment.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/customers/{customerId}/segments',
    scope: 'customers',
    summary: 'List the segments that a customer is in',
    note:
      'Filters are evaluated at the moment of the call. For an unknown customer it lists the segments that a new ' +
      'customer would be in.',
    answers: 'The segments, newest first.',
    reply: segmentsOfCustomer,
    example: { params: { customerId: 'crm-101' } },
  },
  (call) => listSegmentsOfCustomer(call, call.params.customerId),
);
