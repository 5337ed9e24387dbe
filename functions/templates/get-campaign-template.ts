import { campaignTemplate } from '#addons/admin/templates/resource.ts';
import { getTemplate, templateQuery } from '#addons/admin/templates/show-template.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/templates/campaigns/{templateId}',
    scope: 'templates',
    summary: 'Get a campaign template',
    note: '`expand=json_template` adds the copies that the template keeps.',
    params: { templateId: 'Id of the template.' },
    query: templateQuery,
    answers: 'The template.',
    reply: campaignTemplate.reply,
    errors: ['not_found'],
    table: 'get',
    example: { params: { templateId: 'camp_tpl_early' }, query: 'expand=json_template' },
  },
  (call) => getTemplate(call, call.params.templateId, call.query),
);
