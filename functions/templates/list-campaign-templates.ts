import { listTemplates, templatesListed } from '#addons/admin/templates/show-template.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/templates/campaigns',
    scope: 'templates',
    summary: 'List the campaign templates of the project',
    note: 'Returns the oldest first unless `order` says otherwise. `total` is counted with `include_total=true`.',
    answers: 'The templates, without their content.',
    query: templatesListed.query,
    reply: templatesListed.reply,
    example: { query: 'include_total=true' },
  },
  (call) => listTemplates(call, call.query),
);
