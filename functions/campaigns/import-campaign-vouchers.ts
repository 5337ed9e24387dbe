import { keepsFiles } from '../../lib/core/files/access.ts';
import { operation } from '../../lib/http/operation.ts';
import { json } from '../../lib/http/route.ts';
import { startedAction } from '../../lib/kit/bulk/job.ts';
import { importBody } from '../../lib/vouchers/import/rows.ts';
import { importCampaignVouchers } from '../../lib/vouchers/import/start-import.ts';

export const handler = operation(
  {
    route: 'POST /v1/campaigns/{campaignId}/import',
    scope: 'campaigns',
    summary: 'Import vouchers of a campaign',
    note:
      'New vouchers, which take from the campaign what a row does not say. Up to 100,000 rows in a body of 4 MB; nothing is imported where a code is there ' +
      'twice, or is that of a voucher already. What else could not be done is in the result of the action.',
    body: importBody,
    files: keepsFiles,
    answers: 'The id of the action that does it.',
    reply: json(startedAction, { status: 202 }),
    errors: ['not_found', 'invalid_campaign', 'invalid_voucher', 'duplicate_key'],
    example: { params: { campaignId: 'camp_morning' }, body: [{ code: 'TIDE-PAPER-1' }, { code: 'TIDE-PAPER-2' }] },
  },
  (call) => importCampaignVouchers(call, call.params.campaignId, call.body),
);
