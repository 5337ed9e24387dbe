import * as v from 'valibot';
import { afterAll, describe, expect, test } from 'vitest';
import { linkLifeInSeconds } from '#kernel/core/files/files.ts';
import { operation } from '#kernel/http/operation.ts';
import { startQueueService } from '../../../../../infra/local/queue-service.ts';
import { caller } from '../../../../support/call.ts';

const service = await startQueueService();

afterAll(() => service.stop());

const csv = 'ID,Code\r\nv_1,Ä-1\r\n';
const file = {
  area: 'exports' as const,
  projectId: 'proj_1',
  place: 'exp_1.csv',
  name: 'Gutscheine für "alle" (1).csv',
  type: 'text/csv; charset=utf-8',
};

const showExport = operation(
  {
    route: 'GET /v1/things/exports/{id}',
    caller: 'none',
    table: 'none',
    summary: 'Show an export',
    answers: "The file's address.",
    reply: v.object({ result: v.object({ url: v.pipe(v.string(), v.url()) }) }),
  },
  async ({ params: { id } }) => ({
    result: { url: await service.files.link({ ...file, place: `${id}.csv` }) },
  }),
);

const linkOf = async (id: string) => {
  const { status, body } = await caller(showExport)({ params: { id } });
  expect(status).toBe(200);
  return new URL(body.result.url);
};

describe('an outgoing file', () => {
  test('is read at the address in a reply, without credentials, and is saved under its name', async () => {
    await service.files.put({ ...file, content: csv });
    const found = await fetch(await linkOf('exp_1'));
    expect([found.status, await found.text()]).toEqual([200, csv]);
    expect(found.headers.get('content-type')).toBe(file.type);
    expect(found.headers.get('content-disposition')).toBe(
      "attachment; filename*=UTF-8''Gutscheine%20f%C3%BCr%20%22alle%22%20%281%29.csv",
    );
  });

  test('is replaced when it is written again', async () => {
    await service.files.put({ ...file, place: 'exp_2.csv', content: 'first' });
    await service.files.put({ ...file, place: 'exp_2.csv', content: 'second' });
    expect(await (await fetch(await linkOf('exp_2'))).text()).toBe('second');
  });

  test('is stored in its area below its project, at an address that is signed for 24 hours', async () => {
    const { pathname, searchParams } = await linkOf('exp_1');
    expect(pathname).toBe('/files/exports/proj_1/exp_1.csv');
    expect(searchParams.get('X-Amz-Expires')).toBe(String(linkLifeInSeconds));
    expect(linkLifeInSeconds).toBe(86_400);
    expect(searchParams.get('X-Amz-Signature')).toMatch(/^[\da-f]{64}$/);
  });

  test('a missing file is not found', async () => {
    expect((await fetch(await linkOf('exp_none'))).status).toBe(404);
  });

  test('consists of parts of any size, in their order, under its own name and type', async () => {
    const sizes = [9_000_000, 10, 0, 5_000_000, 4_000_000, 7];
    const parts = sizes.map((size, index) => ({ ...file, area: 'parts' as const, place: `exp_3/${index}.csv`, size }));
    const contents = parts.map(({ size }, index) => String(index).repeat(size));
    for (const [index, part] of parts.entries()) await service.files.put({ ...part, content: contents[index] ?? '' });
    await service.files.join({ ...file, place: 'exp_3.csv' }, parts);
    const found = await fetch(await linkOf('exp_3'));
    expect((await found.text()) === contents.join('')).toBe(true);
    expect(found.headers.get('content-type')).toBe(file.type);
    expect(found.headers.get('content-disposition')).toContain('%20%281%29.csv');
  });

  test('is missing after its removal, also after a second removal', async () => {
    await service.files.put({ ...file, place: 'exp_4.csv', content: csv });
    for (const _ of [1, 2]) await service.files.remove({ ...file, place: 'exp_4.csv' });
    expect((await fetch(await linkOf('exp_4'))).status).toBe(404);
  });
});

describe('an incoming file', () => {
  test('may have 64 MB, and the same content has the same version however it was uploaded', async () => {
    const large = { area: 'uploads' as const, projectId: 'proj_1', place: 'upl_2.csv' };
    const content = Buffer.alloc(64_000_000, 'Code,note\r\n');
    const url = await service.files.address(large, content.length);
    expect((await fetch(url, { method: 'PUT', body: content })).status).toBe(200);
    const put = await service.files.state(large);
    expect(put?.bytes).toBe(content.length);
    await service.files.put({ ...large, name: 'a.csv', type: 'text/csv', content });
    expect(await service.files.state(large)).toEqual(put);
  });

  const upload = { area: 'uploads' as const, projectId: 'proj_1', place: 'upl_1.csv' };

  test('is uploaded to an address without credentials, has a size, and is read from any byte on', async () => {
    expect(await service.files.state(upload)).toBeUndefined();
    const content = 'Ä,b\r\n'.repeat(300_000);
    const url = await service.files.address(upload, Buffer.byteLength(content));
    expect(new URL(url).searchParams.get('X-Amz-Expires')).toBe('3600');
    expect(url).not.toMatch(/checksum/i);
    expect(new URL(url).searchParams.get('X-Amz-SignedHeaders')).toContain('content-length');
    expect((await fetch(url, { method: 'PUT', body: content })).status).toBe(200);
    const { bytes, version } = (await service.files.state(upload)) ?? {};
    expect(bytes).toBe(Buffer.byteLength(content));
    const pieces = [];
    for await (const piece of service.files.pieces(upload, 6, version)) pieces.push(piece);
    expect(Buffer.concat(pieces).toString() === content.slice(5)).toBe(true);
    expect(pieces.length).toBeGreaterThan(1);
    for await (const piece of service.files.pieces(upload, bytes ?? 0, version)) expect(piece.length).toBe(0);
    expect((await fetch(url, { method: 'PUT', body: content.replaceAll('b', 'c') })).status).toBe(200);
    const changed = service.files.pieces(upload, 6, version)[Symbol.asyncIterator]();
    await expect(changed.next()).rejects.toThrow(expect.objectContaining({ key: 'invalid_payload' }));
  });
});
