import { deleteBrand } from '#addons/admin/management/change-brand.ts';
import { operation } from '#kernel/http/operation.ts';
import { empty } from '#kernel/http/route.ts';

export const handler = operation(
  {
    route: 'DELETE /management/v1/projects/{projectId}/branding/{brandingId}',
    caller: 'management',
    summary: 'Delete a brand configuration',
    note: 'The project can then get another brand configuration.',
    params: { brandingId: 'Id of the brand configuration.' },
    answers: 'The object is deleted. The reply has no body.',
    reply: empty,
    errors: ['not_found'],
    example: { params: { projectId: 'proj_demo', brandingId: 'brd_harbour' } },
  },
  (call) => deleteBrand(call, call.params),
);
