import { importCampaignFile } from '#engine/vouchers/import/start-import.ts';
import { operation } from '#kernel/http/operation.ts';
import { importsCsv } from '#kernel/kit/bulk/imports-csv.ts';

export const handler = operation(
  {
    route: 'POST /v1/campaigns/{campaignId}/importCSV',
    scope: 'campaigns',
    summary: 'Import vouchers of a campaign from a CSV file',
    note:
      'Creates a voucher for each row. A new voucher inherits from the campaign what its row does not set. If ' +
      'the campaign already has the code, only `Active` and `Category` change. A `Gift Amount` is in major ' +
      "units with the decimals of the project's currency. Any other column is metadata. A body holds up to " +
      '100,000 rows in 4 MiB. For a file of up to 100 MB send its `size` as JSON, put the file to the `url` of ' +
      'the reply, and send the `upload_id`. The result of the action lists what failed.',
    ...importsCsv,
    errors: ['not_found', 'invalid_campaign'],
    example: {
      params: { campaignId: 'camp_morning' },
      body: { file: 'Code,Active,Category,shelf\nTIDE-PAPER-3,true,Counter,left\n' },
    },
  },
  (call) => importCampaignFile(call, call.params.campaignId, call.body),
);
