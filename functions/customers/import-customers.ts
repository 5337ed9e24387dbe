import { customersCsv } from '#engine/customers/import-csv.ts';
import { operation } from '#kernel/http/operation.ts';
import { json } from '#kernel/http/route.ts';
import { importsCsv } from '#kernel/kit/bulk/imports-csv.ts';
import { importCsv, importReply } from '#kernel/kit/bulk/upload.ts';

export const handler = operation(
  {
    route: 'POST /v1/customers/importCSV',
    scope: 'customers',
    summary: 'Import customers from a CSV file',
    note:
      'The file needs a column Source_id or Id. A known customer gets the values of its row. No column has a ' +
      'space in its name. Any other column is metadata. A body holds up to 100,000 rows in 4 MiB. For a file of ' +
      'up to 100 MB send its `size` as JSON, put the file to the `url` of the reply, and send the `upload_id`. ' +
      'The result of the action lists what failed.',
    ...importsCsv,
    reply: json(importReply, { status: 202 }),
    example: {
      body: { file: 'Source_id,Name,Email,Address_City,roast\nberta-1,Berta Lie,berta@post.example,Bergen,light\n' },
    },
  },
  (call) => importCsv(call, customersCsv, call.body),
);
