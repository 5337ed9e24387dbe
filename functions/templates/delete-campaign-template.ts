import { operation } from '../../lib/http/operation.ts';
import { empty } from '../../lib/http/route.ts';
import { removeResource } from '../../lib/kit/resource/operations.ts';
import { campaignTemplate } from '../../lib/operator/templates/resource.ts';

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
