import { vouchersCsv } from '#engine/vouchers/import/csv.ts';
import { operation } from '#kernel/http/operation.ts';
import { json } from '#kernel/http/route.ts';
import { importsCsv } from '#kernel/kit/bulk/imports-csv.ts';
import { importCsv, importReply } from '#kernel/kit/bulk/upload.ts';

export const handler = operation(
  {
    route: 'POST /v1/vouchers/importCSV',
    scope: 'vouchers',
    summary: 'Import vouchers from a CSV file',
    note:
      'Creates vouchers without a campaign. If the code already exists, only `Active` and `Category` change. A ' +
      "`Value` is an amount in major units with the decimals of the project's currency, a percentage or a " +
      'number of units. Any other column is metadata. A body holds up to 100,000 rows in 4 MiB. For a file of ' +
      'up to 100 MB send its `size` as JSON, put the file to the `url` of the reply, and send the `upload_id`. ' +
      'The result of the action lists what failed.',
    ...importsCsv,
    reply: json(importReply, { status: 202 }),
    example: {
      body: {
        file: 'Code,Voucher Type,Value,Discount Type,Expiration Date,shelf\nPIER-3,DISCOUNT_VOUCHER,12.50,AMOUNT,2030-01-31,left\n',
      },
    },
  },
  (call) => importCsv(call, vouchersCsv, call.body),
);
