import { expect, test } from 'vitest';
import { handler as listActions } from '../../functions/async-actions/list-async-actions.ts';
import { handler as importCustomers } from '../../functions/customers/import-customers.ts';
import { handler as importVouchers } from '../../functions/vouchers/import-vouchers-csv.ts';
import { handler as listVouchers } from '../../functions/vouchers/list-vouchers.ts';
import { caller } from '../support/call.ts';
import { runOutbox } from '../support/outbox.ts';
import { loadProject } from '../support/project.ts';

test('a preview shows first rows, columns and faulty rows of a file, and imports nothing', async () => {
  const { id, credentials: headers } = await loadProject();
  const file = [
    'Code;Voucher Type;Value;QR Code;shelf;;',
    'A;GIFT_VOUCHER;12,50;;left;;',
    'B;GIFT_VOUCHER;none;;;;',
    'A;GIFT_VOUCHER;1;;;;',
    '9,99E+9;GIFT_VOUCHER;1;;;;',
    ';GIFT_VOUCHER;1;;;;',
    'F;GIFT_VOUCHER;1;;;;',
    ';;;;;;',
  ].join('\r\n');
  const { body } = await caller(importVouchers)({ headers, body: { file, preview: 'true' } });
  expect(body).toEqual({
    preview: {
      columns: [
        { title: 'Code', field: 'code' },
        { title: 'Voucher Type', field: 'voucher_type' },
        { title: 'Value', field: 'value' },
        { title: 'QR Code' },
        { title: 'shelf', metadata: 'shelf' },
      ],
      rows: [
        ['A', 'GIFT_VOUCHER', '12,50', '', 'left'],
        ['B', 'GIFT_VOUCHER', 'none', '', ''],
        ['A', 'GIFT_VOUCHER', '1', '', ''],
        ['9,99E+9', 'GIFT_VOUCHER', '1', '', ''],
        ['', 'GIFT_VOUCHER', '1', '', ''],
      ],
      rows_count: 6,
      checked_count: 6,
      failed_count: 4,
      failed: [
        { row: 2, reason: expect.stringContaining('value must be in major units') },
        { row: 3, reason: expect.stringContaining('code repeats the code of row 1') },
        { row: 4, reason: expect.stringContaining('code is 9,99E+9') },
        { row: 5, reason: 'code is required' },
      ],
    },
  });
  await runOutbox(id);
  expect((await caller(listVouchers)({ headers })).body.total).toBe(0);
  expect((await caller(listActions)({ headers })).body.async_actions).toEqual([]);
});

test('a preview refuses the file that an import would refuse', async () => {
  const { credentials: headers } = await loadProject();
  const { status, body } = await caller(importCustomers)({ headers, body: { file: 'Name\nAna\n', preview: 'true' } });
  expect([status, body.details]).toEqual([400, 'line 1 must have a column source_id or id']);
});
