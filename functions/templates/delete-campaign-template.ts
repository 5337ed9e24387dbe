import { campaignTemplate } from '#addons/admin/templates/resource.ts';
import { operation } from '#kernel/http/operation.ts';
import { empty } from '#kernel/http/route.ts';
import { removeResource } from '#kernel/kit/resource/operations.ts';

export const handler = operation(
  {
    route: 'DELETE /v1/templates/campaigns/{templateId}',
    scope: 'templates',
    summary: 'Delete a campaign template',
    note: 'Campaigns and resources that were set up from the template stay.',
    params: { templateId: 'Id of the template.' },
    answers: 'The template is deleted. The reply has no body.',
    reply: empty,
    errors: ['not_found'],
    example: { params: { templateId: 'camp_tpl_bags' } },
  },
  (call) => removeResource(call, campaignTemplate, call.params.templateId),
);
