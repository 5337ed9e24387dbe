import { operation } from '../../lib/http/operation.ts';
import { empty } from '../../lib/http/route.ts';
import { deleteBrand } from '../../lib/operator/management/change-brand.ts';

export const handler = operation(
  {
    route: 'DELETE /management/v1/projects/{projectId}/branding/{brandingId}',
    caller: 'management',
    summary: 'Delete a brand configuration',
    params: { brandingId: 'Id of the brand configuration.' },
    answers: 'The object is deleted. The reply has no body.',
    reply: empty,
    errors: ['not_found'],
    example: { params: { projectId: 'proj_demo', brandingId: 'brd_harbour' } },
  },
  (call) => deleteBrand(call, call.params),
);
