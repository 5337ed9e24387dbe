import { importBody } from '#engine/vouchers/import/rows.ts';
import { importCampaignVouchers } from '#engine/vouchers/import/start-import.ts';
import { operation } from '#kernel/http/operation.ts';
import { startsBulk } from '#kernel/kit/bulk/starts-bulk.ts';

export const handler = operation(
  {
    route: 'POST /v1/campaigns/{campaignId}/import',
    scope: 'campaigns',
    summary: 'Import vouchers of a campaign',
    note:
      'Creates a voucher for each row. A new voucher inherits from the campaign what its row does not set. A body ' +
      'holds up to 100,000 rows in 4 MB. If a code is sent twice or already exists, nothing is imported. The ' +
      'result of the action lists what else failed.',
    body: importBody,
    ...startsBulk,
    errors: ['not_found', 'invalid_campaign', 'invalid_voucher', 'duplicate_key'],
    example: { params: { campaignId: 'camp_morning' }, body: [{ code: 'TIDE-PAPER-1' }, { code: 'TIDE-PAPER-2' }] },
  },
  (call) => importCampaignVouchers(call, call.params.campaignId, call.body),
);
