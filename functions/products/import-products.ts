import { productsCsv } from '#engine/catalogue/products/import-csv.ts';
import { operation } from '#kernel/http/operation.ts';

import { importsCsv } from '#kernel/kit/bulk/imports-csv.ts';
import { importCsv } from '#kernel/kit/bulk/upload.ts';

export const handler = operation(
  {
    route: 'POST /v1/products/importCSV',
    scope: 'products',
    summary: 'Import products from a CSV file',
    note:
      "Upserts by `source_id` or `id`. A `price` is in major units with the decimals of the project's " +
      'currency. `attributes` are names that commas separate. Any other column is metadata. A body holds up to ' +
      '100,000 rows in 4 MiB. For a file of up to 100 MB send its `size` as JSON, put the file to the `url` of ' +
      'the reply, and send the `upload_id`. The result of the action lists what failed.',
    ...importsCsv,
    example: {
      body: { file: 'source_id,name,price,attributes,shelf\nmug-clay,Clay mug,21.50,"colour,size",left\n' },
    },
  },
  (call) => importCsv(call, productsCsv, call.body),
);
