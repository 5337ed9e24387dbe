import { skusCsv } from '../../lib/catalogue/products/import-csv.ts';
import { importsFiles } from '../../lib/core/files/access.ts';
import { operation } from '../../lib/http/operation.ts';

import { csvUpload } from '../../lib/http/upload.ts';
import { importCsv, importReply } from '../../lib/kit/bulk/upload.ts';

export const handler = operation(
  {
    route: 'POST /v1/skus/importCSV',
    scope: 'SKUs',
    summary: 'Import SKUs from a CSV file',
    note:
      'The file needs a column `product_id` with an id or source id. Upserts by `source_id` or `id`. A `price` is ' +
      'in major units with up to 2 decimals. `attributes` are JSON. Any other column is metadata. A body holds up ' +
      'to 100,000 rows in 4 MiB. For a file of up to 100 MB send its `size` as JSON, put the file to the `url` of ' +
      'the reply, and send the `upload_id`. The result of the action lists what failed.',
    body: csvUpload,
    files: importsFiles,
    answers:
      'The id of the async action that does the work. For a `size`, the reply is the address for the upload of ' +
      'the file.',
    reply: importReply,
    example: {
      body: { file: 'product_id,source_id,sku,price,currency\nbeans,beans-2000,2 kg,495.00,NOK\n' },
    },
  },
  (call) => importCsv(call, skusCsv, call.body),
);
