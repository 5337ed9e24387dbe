import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { maxBodyBytes } from '#kernel/http/input.ts';
import { operation } from '#kernel/http/operation.ts';
import { json } from '#kernel/http/route.ts';
import { csvUpload, maxUploadParts } from '#kernel/http/upload.ts';
import { caller } from '../../../support/call.ts';

/** Accepts a file, and returns its content. */
const importCsv = operation(
  {
    route: 'POST /v1/things/importCSV',
    caller: 'none',
    table: 'none',
    summary: 'Import',
    answers: 'What was sent.',
    body: csvUpload,
    reply: json(
      v.object({ file: v.optional(v.string()), size: v.optional(v.number()), upload_id: v.optional(v.string()) }),
      { status: 202 },
    ),
  },
  async ({ body }) => body,
);

const send = caller(importCsv);
const csv = 'Code,Value\r\nÄ-1,"10,5"\r\n';

const typed = (type: string) => ({ 'content-type': type });
const part = (disposition: string, content: string) =>
  `--b\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`;
const end = '--b--\r\n';
const form = typed('multipart/form-data; boundary=b');

describe('an uploaded file', () => {
  test('arrives as its text', async () => {
    const { status, body } = await send({ body: { file: csv } });
    expect([status, body.file]).toEqual([202, csv]);
  });

  test.each([
    ['in base64, as the gateway hands it over', 'name="file"; filename="a.csv"', 'multipart/form-data; boundary=b'],
    ['with a boundary in quotes', 'name="file"; filename="a.csv"', 'multipart/form-data; boundary="b"'],
    [
      'with names that have no quotes',
      "name=file; filename=a.csv; filename*=utf-8''a.csv",
      'Multipart/Form-Data; boundary=b',
    ],
    ['with a byte order mark', 'name="file"; filename="a.csv"', 'multipart/form-data; boundary=b', '\ufeff'],
    ['as a field without a file name', 'name="file"', 'multipart/form-data; boundary=b'],
  ])('may be sent %s', async (_, disposition, type, before = '') => {
    const sent = Buffer.from(part(disposition, before + csv) + end).toString('base64');
    const { status, body } = await send({ headers: typed(type), body: sent, isBase64Encoded: true });
    expect([status, body.file]).toEqual([202, csv]);
  });

  test('may have other fields beside it, which are named as ignored', async () => {
    const { status, headers } = await send({ body: { file: csv, colour: 'red', __proto__x: '1' } });
    expect([status, headers['X-Ignored-Fields']]).toEqual([202, 'colour, __proto__x']);
  });

  test.each([
    ['is missing', { body: { other: csv } }, 'file is required'],
    ['is missing with the whole body', {}, 'file is required'],
    ['is empty', { body: { file: '' } }, 'file must not be empty'],
    ['is sent twice', { headers: form, body: part('name="file"; filename="a"', 'a').repeat(2) + end }, 'once'],
    ['is cut off', { headers: form, body: part('name="file"; filename="a.csv"', csv) }, 'complete'],
    ['has no head', { headers: form, body: '--b\r\nContent-Disp' }, 'complete'],
    ['has another boundary', { headers: form, body: '--c\r\n\r\nx\r\n--c--\r\n' }, 'complete'],
    [
      'has bytes that no encoding has',
      {
        headers: form,
        body: Buffer.from(`${part('name="file"; filename="a.csv"', '\u00e9\u0081')}${end}`, 'latin1').toString(
          'base64',
        ),
        isBase64Encoded: true,
      },
      'file must be UTF-8',
    ],
    [
      'is UTF-8 with damaged bytes',
      {
        headers: form,
        body: Buffer.concat([
          Buffer.from(part('name="file"; filename="a.csv"', 'Ærlig Øl på Sørøya')).subarray(0, -4),
          Buffer.from([0xc3]),
          Buffer.from(`\r\n${end}`),
        ]).toString('base64'),
        isBase64Encoded: true,
      },
      'file must be UTF-8',
    ],
    [
      'is one of many parts',
      {
        headers: form,
        body: Array.from({ length: maxUploadParts + 1 }, (_, n) => part(`name="f${n}"`, 'x')).join('') + end,
      },
      `at most ${maxUploadParts} parts`,
    ],
    ['has a long field beside it', { headers: form, body: part('name="note"', 'x'.repeat(10_001)) + end }, 'at most'],
  ])('is refused if it %s', async (_, request, details) => {
    const { status, body } = await send(request);
    expect([status, body.key, body.details]).toEqual([400, 'invalid_payload', expect.stringContaining(details)]);
  });

  test.each(['text/csv', 'application/x-www-form-urlencoded', 'multipart/form-data', 'multipart/mixed; boundary=b'])(
    'is refused if it is sent as %s',
    async (type) => {
      const { status, body } = await send({ headers: typed(type), body: part('name="file"; filename="a"', csv) + end });
      expect([status, body.key]).toEqual([415, 'unsupported_media_type']);
    },
  );

  test('is refused before it is read if it is too long', async () => {
    const { status, body } = await send({ body: { file: 'x'.repeat(maxBodyBytes) } });
    expect([status, body.key]).toEqual([413, 'payload_too_large']);
  });
});

describe('JSON about a file that is stored elsewhere', () => {
  const asJson = { 'content-type': 'application/json' };
  const sent = (body: string) => send({ headers: asJson, body });

  test('names its size or its upload', async () => {
    expect((await sent('{"size":100000000}')).body).toEqual({ size: 100_000_000 });
    expect((await sent('{"upload_id":"upl_1","file":"a"}')).body).toEqual({ upload_id: 'upl_1' });
  });

  test.each([
    ['{"size":100000001}', 'size must be at most 100000000 bytes'],
    ['{"size":0}', 'size must be 1 or more'],
    ['{"size":"5"}', /^size must be/],
    ['{"upload_id":""}', 'upload_id must not be empty'],
    ['{}', 'file is required'],
    ['[]', /./],
    ['{"size":', 'the body must be JSON'],
  ])('is refused as %s', async (body, details) => {
    const reply = await sent(body);
    expect([reply.status, reply.body.key]).toEqual([400, 'invalid_payload']);
    if (typeof details === 'string') expect(reply.body.details).toBe(details);
    else expect(reply.body.details).toMatch(details);
  });

  test('is the suggested way for a body that is too long', async () => {
    const reply = await send({ body: { file: 'x'.repeat(maxBodyBytes) } });
    expect([reply.status, reply.body.details]).toEqual([413, expect.stringContaining('{"size": <bytes>}')]);
  });
});
