import { copyTemplate, copyTemplateBody } from '#addons/admin/templates/copy-template.ts';
import { campaignTemplate } from '#addons/admin/templates/resource.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /management/v1/projects/{projectId}/templates/campaigns/{templateId}/copy',
    caller: 'management',
    summary: 'Copy a campaign template to a project',
    note: 'The products, SKUs, collections and segments of the template are created at its first setup there.',
    params: { templateId: 'Id of the template.' },
    body: copyTemplateBody,
    answers: 'The new template.',
    reply: campaignTemplate.reply,
    errors: ['not_found', 'duplicate_found', 'too_many_resources'],
    example: {
      params: { projectId: 'proj_demo', templateId: 'camp_tpl_early' },
      body: { name: 'Early tide, again', destination_project_id: 'proj_demo' },
    },
  },
  (call) => copyTemplate(call, call.params, call.body),
);
