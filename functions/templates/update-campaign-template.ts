import { campaignTemplate } from '#addons/admin/templates/resource.ts';
import { updateTemplate, updateTemplateBody } from '#addons/admin/templates/update-template.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'PUT /v1/templates/campaigns/{templateId}',
    scope: 'templates',
    summary: 'Update a campaign template',
    note: 'Changes the sent `name` and `description`. The content of a template never changes.',
    params: { templateId: 'Id of the template.' },
    body: updateTemplateBody,
    answers: 'The template.',
    reply: campaignTemplate.reply,
    errors: ['not_found', 'duplicate_found'],
    example: { params: { templateId: 'camp_tpl_early' }, body: { name: 'Early birds', description: null } },
  },
  (call) => updateTemplate(call, call.params.templateId, call.body),
);
