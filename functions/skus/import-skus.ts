import { startBulk, startedAction } from '../../lib/bulk/job.ts';
import { keepsFiles } from '../../lib/files/access.ts';
import { operation } from '../../lib/http/operation.ts';

import { csvUpload } from '../../lib/http/upload.ts';
import { skusCsv } from '../../lib/products/import-csv.ts';

export const handler = operation(
  {
    route: 'POST /v1/skus/importCSV',
    scope: 'SKUs',
    summary: 'Import SKUs from a CSV file',
    note:
      'Needs a column `product_id`, an id or source id; upserts by `source_id` or `id`. A `price` is in major units with up to 2 decimals, `attributes` are JSON. ' +
      'Any other column is metadata. Up to 100,000 rows in a body of 4 MB. What could not be done is in the result of the action.',
    body: csvUpload,
    files: keepsFiles,
    answers: 'The id of the action that does it.',
    reply: startedAction,
    example: {
      body: { file: 'product_id,source_id,sku,price,currency\nbeans,beans-2000,2 kg,495.00,NOK\n' },
    },
  },
  (call) => startBulk(call, skusCsv, skusCsv.read(call.body.file)),
);
