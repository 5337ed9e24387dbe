import { brandList, listBrands } from '#addons/admin/management/change-brand.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /management/v1/projects/{projectId}/branding',
    caller: 'management',
    summary: 'List the brand configurations of a project',
    note: 'A project that was loaded from a file may have several. Another project has one at most.',
    answers: 'The brand configuration of the project, in a list.',
    reply: brandList,
    errors: ['not_found'],
    table: 'read',
    example: { params: { projectId: 'proj_demo' } },
  },
  (call) => listBrands(call, call.params.projectId),
);
