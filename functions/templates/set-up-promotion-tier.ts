import { setUpTier, tierSetup } from '#addons/admin/templates/set-up.ts';
import { tierSetupBody } from '#addons/admin/templates/setup-body.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/templates/campaigns/{templateId}/tier-setup',
    scope: 'templates',
    summary: 'Create a promotion tier from a template',
    note:
      'Adds a tier with the discount and the times of the template to a PROMOTION. Rules and resources are created ' +
      'in the same way as for a campaign. A template of gift vouchers makes no tiers.',
    params: { templateId: 'Id of the template.' },
    body: tierSetupBody,
    answers: 'The tier, and everything that was created with it.',
    reply: tierSetup,
    errors: [
      'not_found',
      'duplicate_found',
      'invalid_campaign',
      'campaign_type_is_not_supported_by_campaign_template',
      'too_many_resources',
    ],
    example: {
      params: { templateId: 'camp_tpl_early' },
      body: { campaign_id: 'camp_beans', name: 'Early beans', banner: 'Beans before nine' },
    },
  },
  (call) => setUpTier(call, call.params.templateId, call.body),
);
