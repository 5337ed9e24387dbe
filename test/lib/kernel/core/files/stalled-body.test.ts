import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createBucketFiles, createS3Client } from '#kernel/core/files/bucket.ts';
import type { FilePlace } from '#kernel/core/files/files.ts';

const file: FilePlace = { area: 'exports', projectId: 'proj_1', place: 'exp_1.csv' };

/** Starts a file store that answers each request by `answer`. */
async function openStore(answer: (response: ServerResponse) => void, limitInMs: number) {
  const server = createServer((_, response) => answer(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const client = createS3Client(`http://127.0.0.1:${port}`);
  onTestFinished(async () => {
    client.destroy();
    server.closeAllConnections();
    await new Promise<void>((resolve) => void server.close(() => resolve()));
  });
  return createBucketFiles(client, 'bucket', limitInMs);
}

const stalled = (response: ServerResponse) => {
  response.writeHead(200, { 'content-length': 100 });
  response.write('ID,Code\n');
};

test('a file whose body stalls is an error after a while, whole or in pieces', async () => {
  const files = await openStore(stalled, 20);
  const words = "a file's next bytes did not come within 20 ms";
  await expect(files.read(file)).rejects.toThrow(words);
  const pieces: string[] = [];
  const reading = async () => {
    for await (const piece of files.pieces(file, 0)) pieces.push(Buffer.from(piece).toString());
  };
  await expect(reading()).rejects.toThrow(words);
  expect(pieces).toEqual(['ID,Code\n']);
});

test('a file that comes in many pieces is read whole', async () => {
  const text = 'ä'.repeat(300_000);
  const files = await openStore((response) => response.end(text), 60_000);
  const pieces: Uint8Array[] = [];
  for await (const piece of files.pieces(file, 0)) pieces.push(piece);
  expect(pieces.length).toBeGreaterThan(1);
  expect([Buffer.concat(pieces).toString(), await files.read(file)]).toEqual([text, text]);
});
