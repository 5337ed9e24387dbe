import { startBulk, startedAction } from '../../lib/bulk/job.ts';
import { customersCsv } from '../../lib/customers/import-csv.ts';
import { keepsFiles } from '../../lib/files/access.ts';
import { operation } from '../../lib/http/operation.ts';
import { json } from '../../lib/http/route.ts';
import { csvUpload } from '../../lib/http/upload.ts';

export const handler = operation(
  {
    route: 'POST /v1/customers/importCSV',
    scope: 'customers',
    summary: 'Import customers from a CSV file',
    note:
      'Needs a column Source_id or Id; a known customer becomes what the row says. No column has a space in its name. ' +
      'Any other column is metadata. Up to 100,000 rows in a body of 4 MB. What could not be done is in the result of the action.',
    body: csvUpload,
    files: keepsFiles,
    answers: 'The id of the action that does it.',
    reply: json(startedAction, { status: 202 }),
    example: {
      body: { file: 'Source_id,Name,Email,Address_City,roast\nberta-1,Berta Lie,berta@post.example,Bergen,light\n' },
    },
  },
  (call) => startBulk(call, customersCsv, customersCsv.read(call.body.file)),
);
