import { skusCsv } from '#engine/catalogue/products/import-csv.ts';
import { operation } from '#kernel/http/operation.ts';

import { importsCsv } from '#kernel/kit/bulk/imports-csv.ts';
import { importCsv } from '#kernel/kit/bulk/upload.ts';

export const handler = operation(
  {
    route: 'POST /v1/skus/importCSV',
    scope: 'SKUs',
    summary: 'Import SKUs from a CSV file',
    note:
      'The file needs a column `product_id` with an id or source id. Upserts by `source_id` or `id`. A `price` ' +
      "is in major units with the decimals of the project's currency. `attributes` are JSON. Any other column " +
      'is metadata. A body holds up to 100,000 rows in 4 MiB. For a file of up to 100 MB send its `size` as ' +
      'JSON, put the file to the `url` of the reply, and send the `upload_id`. The result of the action lists ' +
      'what failed.',
    ...importsCsv,
    example: {
      body: { file: 'product_id,source_id,sku,price,currency\nbeans,beans-2000,2 kg,495.00,NOK\n' },
    },
  },
  (call) => importCsv(call, skusCsv, call.body),
);
