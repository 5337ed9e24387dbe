import { campaignSetup, setUpCampaign } from '#addons/admin/templates/set-up.ts';
import { campaignSetupBody } from '#addons/admin/templates/setup-body.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/templates/campaigns/{templateId}/campaign-setup',
    scope: 'templates',
    summary: 'Create a campaign from a template',
    note:
      'Creates the campaign with new validation rules, and the products, SKUs, collections and segments that the ' +
      'project lacks for them, all or nothing. Sent fields replace fields of the template, and `null` removes them.',
    params: { templateId: 'Id of the template.' },
    body: campaignSetupBody,
    answers: 'The campaign, and everything that was created with it. Its codes are generated after the reply.',
    reply: campaignSetup,
    errors: ['not_found', 'duplicate_found', 'invalid_code_config', 'too_many_resources'],
    example: {
      params: { templateId: 'camp_tpl_early' },
      body: {
        name: 'Late tide',
        vouchers_count: 50,
        voucher: { code_config: { pattern: 'LATE-######' }, redemption: { quantity: 1 } },
      },
    },
  },
  (call) => setUpCampaign(call, call.params.templateId, call.body),
);
