import { importsFiles } from '../../lib/core/files/access.ts';
import { customersCsv } from '../../lib/customers/import-csv.ts';
import { operation } from '../../lib/http/operation.ts';
import { json } from '../../lib/http/route.ts';
import { csvUpload } from '../../lib/http/upload.ts';
import { importCsv, importReply } from '../../lib/kit/bulk/upload.ts';

export const handler = operation(
  {
    route: 'POST /v1/customers/importCSV',
    scope: 'customers',
    summary: 'Import customers from a CSV file',
    note:
      'Needs a column Source_id or Id; a known customer becomes what the row says. No column has a space in its name. ' +
      'Any other column is metadata. Up to 100,000 rows in a body of 4 MiB. For a file of up to 100 MB send its `size` as JSON, put it to the `url` of the reply, and send the `upload_id`. What could not be done is in the result of the action.',
    body: csvUpload,
    files: importsFiles,
    answers: 'The id of the action that does it, or for a `size` the address to put the file to.',
    reply: json(importReply, { status: 202 }),
    example: {
      body: { file: 'Source_id,Name,Email,Address_City,roast\nberta-1,Berta Lie,berta@post.example,Bergen,light\n' },
    },
  },
  (call) => importCsv(call, customersCsv, call.body),
);
