import { startBulk, startedAction } from '../../lib/bulk/job.ts';
import { keepsFiles } from '../../lib/files/access.ts';
import { operation } from '../../lib/http/operation.ts';

import { csvUpload } from '../../lib/http/upload.ts';
import { productsCsv } from '../../lib/products/import-csv.ts';

export const handler = operation(
  {
    route: 'POST /v1/products/importCSV',
    scope: 'products',
    summary: 'Import products from a CSV file',
    note:
      'Upserts by `source_id` or `id`. A `price` is in major units with up to 2 decimals, `attributes` are names with commas between them. ' +
      'Any other column is metadata. Up to 100,000 rows in a body of 4 MB. What could not be done is in the result of the action.',
    body: csvUpload,
    files: keepsFiles,
    answers: 'The id of the action that does it.',
    reply: startedAction,
    example: {
      body: { file: 'source_id,name,price,attributes,shelf\nmug-clay,Clay mug,21.50,"colour,size",left\n' },
    },
  },
  (call) => startBulk(call, productsCsv, productsCsv.read(call.body.file)),
);
