import { describe, expect, test } from 'vitest';
import { productsCsv, skusCsv } from '#engine/catalogue/products/import-csv.ts';
import { customersCsv } from '#engine/customers/import-csv.ts';
import { vouchersCsv } from '#engine/vouchers/import/csv.ts';
import { readCsv } from '#kernel/kit/bulk/csv.ts';

describe('a file is read', () => {
  test.each<[string, string, string[][]]>([
    [
      'with lines that end in CRLF',
      'a,b\r\n1,2\r\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    ['with lines that end in LF or CR, the last in none', 'a\nb\rc', [['a'], ['b'], ['c']]],
    ['without its empty lines', '\r\na\n\n\nb\n\n', [['a'], ['b']]],
    ['with empty cells', ',\n,b,\n""\n', [['', ''], ['', 'b', ''], ['']]],
    [
      'with commas, line ends and doubled quotes in quotes',
      '"a,b","c\r\nd","say ""e"""\n',
      [['a,b', 'c\r\nd', 'say "e"']],
    ],
    ['with quotes alone in quotes', '"""",""""""', [['"', '""']]],
    [
      'with semicolons, where the header has those',
      'a;"b;,c"\r\n1,5;2\n',
      [
        ['a', 'b;,c'],
        ['1,5', '2'],
      ],
    ],
    ['with blanks unchanged', ' a , b ', [[' a ', ' b ']]],
    [
      'with tabs, where the header has those',
      'a\tb;c\td\n1,5\t2\t\n',
      [
        ['a', 'b;c', 'd'],
        ['1,5', '2', ''],
      ],
    ],
    [
      'with the separator that its first line names',
      'sep=;\r\na,b;c\r\n1;2\r\n',
      [
        ['a,b', 'c'],
        ['1', '2'],
      ],
    ],
    ['with that line in quotes', '"sep=\t"\na;b\tc\n', [['a;b', 'c']]],
    [
      'with commas, where later lines have semicolons',
      '\n\ra,b\n1;2;3;4,5\n',
      [
        ['a', 'b'],
        ['1;2;3;4', '5'],
      ],
    ],
    [
      'with semicolons behind quotes that span lines',
      '"a,\n,,";b\n1,2,3;4\n',
      [
        ['a,\n,,', 'b'],
        ['1,2,3', '4'],
      ],
    ],
  ])('%s', (_, file, lines) => {
    expect([...readCsv(file)].map(({ cells }) => cells)).toEqual(lines);
  });

  test('with the number of the line on which each row begins', () => {
    expect([...readCsv('a\n\n"b\nc\r\nd"\ne')].map(({ number }) => number)).toEqual([1, 3, 6]);
  });

  test('of megabytes, of commas or of quotes, in a moment', () => {
    const tooMany = expect.objectContaining({ details: 'line 1 must have at most 500 columns' });
    expect(() => [...readCsv(','.repeat(4_000_000))]).toThrow(tooMany);
    expect(() => [...readCsv(';'.repeat(4_000_000))]).toThrow(tooMany);
    expect([...readCsv('"'.repeat(2_000_000))][0]?.cells).toEqual(['"'.repeat(999_999)]);
  });
});

describe('what spreadsheets write around a table', () => {
  test.each([
    ['empty cells behind the last column', 'name,id,,\r\na,b,,\r\nc,d\r\n'],
    ['empty rows', 'name,id\r\n,\r\na,b\r\n ,\r\nc,d\r\n,\r\n,,,\r\n'],
    ['both', 'name,id, ,\r\na,b,,\r\n,,,\r\nc,d,,\r\n,,,\r\n'],
  ])('is ignored: %s', (_, file) => {
    const { columns, rows } = productsCsv.read(file);
    expect([columns, rows]).toEqual([
      ['name', 'id'],
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ]);
  });

  test('is refused if a row has a value there', () => {
    const details = 'line 2, column 3 is not in the header';
    expect(() => productsCsv.read('name,id,\na,b,c')).toThrow(expect.objectContaining({ details }));
  });
});

const wrongQuote = 'has a misplaced quote or text: a cell with quotes must be in quotes, with each inner quote doubled';

describe('a file is refused', () => {
  test.each([
    ['that has no header', customersCsv, '\r\n\n', 'line 1, column 1 is missing: the file must have a header'],
    ['that is not CSV', customersCsv, '{"source_id":1}', `line 1, column 1 ${wrongQuote}`],
    ['with text after a quote', productsCsv, 'name\nx\n"a" b', `line 3, column 1 ${wrongQuote}`],
    [
      'with a quote that is open',
      productsCsv,
      'name,id\n"a\nb",c\nd,"e\n',
      'line 4, column 2 begins with a quote that is not closed',
    ],
    ['with two columns of one field', customersCsv, 'Id,City,address_city', 'line 1, column 3 is the same as column 2'],
    [
      'with a column of metadata twice',
      productsCsv,
      'name,shelf,Shelf,shelf',
      'line 1, column 4 is the same as column 2',
    ],
    ['with a column that has no name', productsCsv, '\r\nname,,id', 'line 2, column 2 must have a name'],
    ['with a column __proto__', productsCsv, 'name,__proto__', 'line 1, column 2 must not be named __proto__'],
    [
      'with a long name of a column',
      productsCsv,
      `name,${'x'.repeat(301)}`,
      'line 1, column 2 must have a name of at most 300 characters',
    ],
    [
      'with a space in the name of a column of customers',
      customersCsv,
      'id,first roast',
      'line 1, column 2 must not have a space in its name',
    ],
    ['of customers without an id', customersCsv, 'name', 'line 1 must have a column source_id or id'],
    [
      'with a title that is close to a column',
      productsCsv,
      'name,pirce,Image URLs,metadata.prices,shelf',
      'line 1, column 2 is pirce, which is close to price: name it price, or metadata.pirce if it is metadata; ' +
        'line 1, column 3 is Image URLs, which is close to image_url: name it image_url, or metadata.Image URLs if it is metadata',
    ],
    [
      'with a key of metadata that no object may have',
      productsCsv,
      'name,metadata.__proto__',
      'line 1, column 2 must not be named __proto__',
    ],
    [
      'with two names of one column',
      vouchersCsv,
      'Code,Redemption Limit,Redemption Quantity',
      'line 1, column 3 is the same as column 2',
    ],
    ['of SKUs without a product', skusCsv, 'id', 'line 1 must have a column product_id'],
    ['with too many columns', productsCsv, `name${',x'.repeat(500)}`, 'line 1 must have at most 500 columns'],
    [
      'with rows of other lengths, all named',
      productsCsv,
      'name,id\n\na\n"b\n",c\nd,e,f',
      'line 3, column 2 is missing; line 6, column 3 is not in the header',
    ],
    ['with too many rows', productsCsv, `name${'\nx'.repeat(100_001)}`, 'the file must have at most 100000 rows'],
  ])('%s', (_, { read }, file, details) => {
    expect(() => read(file)).toThrow(expect.objectContaining({ key: 'invalid_payload', details }));
  });
});
