import { describe, expect, test } from 'vitest';
import { uploadFile } from '#kernel/kit/bulk/upload.ts';
import { handler as getAction } from '../../functions/async-actions/get-async-action.ts';
import { handler as getVoucher } from '../../functions/vouchers/get-voucher.ts';
import { handler as importVouchers } from '../../functions/vouchers/import-vouchers-csv.ts';
import { caller } from '../support/call.ts';
import { testDependencies } from '../support/dependencies.ts';
import { runOutbox } from '../support/outbox.ts';
import { loadProject, type TestProject } from '../support/project.ts';

/** Uploads a file as spreadsheets save it, of more rows than are read together. */

const many = 2_010;

async function uploaded(project: TestProject, content: Buffer) {
  const headers = { ...project.credentials, 'content-type': 'application/json' };
  const send = (body: object) => caller(importVouchers)({ headers, body: JSON.stringify(body) });
  const { upload_id } = (await send({ size: content.length })).body;
  await testDependencies().files.put({
    ...uploadFile(project.id, `${upload_id}.csv`),
    ...{ name: 'a.csv', type: 'text/csv', content },
  });
  const { status, body } = await send({ upload_id });
  if (status >= 400) return { refused: body.details };
  await runOutbox(project.id);
  const params = { asyncActionId: body.async_action_id };
  return (await caller(getAction)({ headers: project.credentials, params })).body.result;
}

const title = 'Code;Voucher Type;Value;Additional Info;;';
const row = (code: string, note: string) => `${code};GIFT_VOUCHER;12,50;${note};;`;
const rows = Array.from({ length: many }, (_, index) => row(`C-${index}`, ''));

test.each([
  ['Windows-1252', (text: string) => Buffer.from(text, 'latin1'), 'windows-1252'],
  ['UTF-16', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le'), 'utf-16le'],
  ['UTF-8 with its separator', (text: string) => Buffer.from(`\ufeffsep=;\r\n${text}`), undefined],
])(
  'a file in %s is read in parts, and a code that stands in two parts fails the second row',
  async (_, encode, encoding) => {
    const project = await loadProject();
    const lines = [title, ...rows, ';;;;;', row('C-0', 'twice'), row('LAST', 'Köln'), ';;;;;', ';;;;;'];
    const result = await uploaded(project, encode(`${lines.join('\r\n')}\r\n`));
    expect(result).toMatchObject({
      ...{ done_count: many + 1, created_count: many + 1, changed_count: 0, unchanged_count: 0, failed_count: 1 },
      failed: [{ row: many + 1, code: 'C-0', reason: 'code repeats the code of row 1: remove one of the two rows' }],
    });
    expect(result.encoding).toBe(encoding);
    const { body } = await caller(getVoucher)({ headers: project.credentials, params: { code: 'LAST' } });
    expect(body).toMatchObject({ gift: { amount: 1250 }, additional_info: 'Köln' });
  },
);

describe('an uploaded file is refused before its first row', () => {
  const damaged = Buffer.concat([
    Buffer.from(`${title}\r\n${row('A', 'Ærlig Øl på Sørøya')}\r\n`),
    Buffer.from(row('B', '\u00c3'), 'latin1'),
    Buffer.from('\r\n'),
  ]);

  test('if it is UTF-8 with damaged bytes', async () => {
    const result = await uploaded(await loadProject(), damaged);
    expect(result.refused ?? result.message).toContain('must be UTF-8');
  });

  test('if one row is longer than the header', async () => {
    const result = await uploaded(await loadProject(), Buffer.from(`${title}\r\n${row('A', '')};x\r\n`));
    expect(result.message).toContain('line 2, column 5 is not in the header');
    expect(result.done_count).toBe(0);
  });
});
