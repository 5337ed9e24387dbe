import { updateLoyaltyBody } from '../../lib/campaigns/campaign-body.ts';
import { campaign } from '../../lib/campaigns/campaign-reply.ts';
import { listTiersOf } from '../../lib/campaigns/promotions/list-tiers.ts';
import { operation } from '../../lib/http/operation.ts';
import { updateProgramme } from '../../lib/loyalty/programmes/update-programme.ts';

export const handler = operation(
  {
    route: 'PUT /v1/loyalties/{campaignId}',
    scope: 'loyalties',
    summary: 'Update a loyalty campaign',
    note:
      'As `PUT /v1/campaigns/{campaignId}`. `loyalty_card` holds for points and cards that come after it. Another ' +
      '`loyalty_tiers_expiration` holds from the next change of a card on; with `options.recalculate_tiers` members get their new ' +
      'dates, and better tiers, soon after the reply.',
    body: updateLoyaltyBody,
    answers: 'The campaign as it is now.',
    reply: campaign,
    errors: ['invalid_campaign', 'not_found'],
    example: {
      params: { campaignId: 'Harbour Crew' },
      body: { description: 'For those who come by boat', options: { recalculate_tiers: true } },
    },
  },
  (call) => updateProgramme(call, call.params.campaignId, call.body, listTiersOf),
);
