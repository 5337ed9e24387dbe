import { expect, test } from 'vitest';
import { readCsv } from '#kernel/kit/bulk/csv.ts';
import { formatMajorUnits, writeTitle } from '#kernel/kit/exports/columns.ts';
import { unmarkCell, writeCsvLine } from '#kernel/kit/exports/csv-line.ts';

test.each([
  ['plain', 'plain'],
  ['', ''],
  [null, ''],
  [undefined, ''],
  [0, '0'],
  [false, 'false'],
  ['a,b', '"a,b"'],
  ['a;b', '"a;b"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\nlines', '"two\nlines"'],
  [' spaced ', '" spaced "'],
  [{ roast: 'light' }, '"{""roast"":""light""}"'],
  [['S', 'M'], '"[""S"",""M""]"'],
])('%j is the cell %s', (value, cell) => {
  expect(writeCsvLine(['', value, 'end'])).toBe(`,${cell},end\r\n`);
});

test.each([
  ['=1+1', "'=1+1"],
  ['=HYPERLINK("http://x","y")', `"'=HYPERLINK(""http://x"",""y"")"`],
  ['@SUM(A1)', "'@SUM(A1)"],
  ["+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"],
  ['-2+3+A1', "'-2+3+A1"],
  ['\t=1', `"'\t=1"`],
  ['\r=1', `"'\r=1"`],
  ['\n=1', `"'\n=1"`],
  ['＝1+1', "'＝1+1"],
  ['＋1+A1', "'＋1+A1"],
  ['－1+A1', "'－1+A1"],
  ['＠SUM(A1)', "'＠SUM(A1)"],
  // Neither is a formula.
  ['+47 (22) 86-75.30', '+47 (22) 86-75.30'],
  ['-12.50', '-12.50'],
  ['a=1', 'a=1'],
])('%j is not a formula, so it is the cell %s', (value, cell) => {
  expect(writeCsvLine([value])).toBe(`${cell}\r\n`);
});

test('a written cell is read again unchanged', () => {
  const cells = ['a,b', 'c"d', 'e\r\nf', ' g', 'h;i', 'ÄÖÜ 😀', ''];
  expect([...readCsv(writeCsvLine(cells))].map((line) => line.cells)).toEqual([cells]);
  const marked = ['=1', '\n=1', '＝1', '＋A', '－A', '＠A', "'=1", "''\n1", "it's"];
  expect([...readCsv(writeCsvLine(marked))].map((line) => line.cells.map(unmarkCell))).toEqual([marked]);
});

test.each([
  [1250, '12.50'],
  [2000, '20'],
  [5, '0.05'],
  [-105, '-1.05'],
  [0, '0'],
  [9_007_199_254_740_991, '90071992547409.91'],
  [undefined, undefined],
  [null, undefined],
])('%s minor units are %s', (amount, written) => {
  expect(formatMajorUnits(amount, 2)).toBe(written);
});

test.each([
  ['id', 'ID'],
  ['code', 'Code'],
  ['voucher_type', 'Voucher Type'],
  ['customer_source_id', 'Customer Source ID'],
  ['address_line_1', 'Address Line 1'],
  ['metadata.roast_level', 'metadata.roast_level'],
])('the column of %s is called %s', (name, title) => {
  expect(writeTitle(name)).toBe(title);
});
