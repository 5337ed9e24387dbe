import { listManagedTemplates } from '#addons/admin/templates/copy-template.ts';
import { templatesListed } from '#addons/admin/templates/show-template.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /management/v1/projects/{projectId}/templates/campaigns',
    caller: 'management',
    summary: 'List the campaign templates of a project',
    note: 'Returns the oldest first unless `order` says otherwise. `total` is counted with `include_total=true`.',
    answers: 'The templates, without their content.',
    query: templatesListed.query,
    reply: templatesListed.reply,
    errors: ['not_found'],
    table: 'read',
    example: { params: { projectId: 'proj_demo' } },
  },
  (call) => listManagedTemplates(call, call.params.projectId, call.query),
);
