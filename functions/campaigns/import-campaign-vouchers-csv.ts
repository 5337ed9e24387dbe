import { importsFiles } from '../../lib/core/files/access.ts';
import { operation } from '../../lib/http/operation.ts';
import { csvUpload } from '../../lib/http/upload.ts';
import { importReply } from '../../lib/kit/bulk/upload.ts';
import { importCampaignFile } from '../../lib/vouchers/import/start-import.ts';

export const handler = operation(
  {
    route: 'POST /v1/campaigns/{campaignId}/importCSV',
    scope: 'campaigns',
    summary: 'Import vouchers of a campaign from a CSV file',
    note:
      'New vouchers, which take from the campaign what a row does not say; of a code that the campaign has, `Active` and `Category` are changed alone. ' +
      'A `Gift Amount` is in major units with up to 2 decimals. Any other column is metadata. Up to 100,000 rows in a body of 4 MiB. For a file of up to 100 MB send its `size` as JSON, put it to the `url` of the reply, and send the `upload_id`. ' +
      'What could not be done is in the result of the action.',
    body: csvUpload,
    files: importsFiles,
    answers: 'The id of the action that does it, or for a `size` the address to put the file to.',
    reply: importReply,
    errors: ['not_found', 'invalid_campaign'],
    example: {
      params: { campaignId: 'camp_morning' },
      body: { file: 'Code,Active,Category,shelf\nTIDE-PAPER-3,true,Counter,left\n' },
    },
  },
  (call) => importCampaignFile(call, call.params.campaignId, call.body),
);
