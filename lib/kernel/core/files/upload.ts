import {
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  type CreateMultipartUploadCommandInput,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';

/** S3 accepts at most 10,000 parts. Each but the last has at least 5 MiB. */
export const partBytes = 8 * 1024 * 1024;

/**
 * Cuts pieces of any size into at least one part. The same content makes the same parts, and therefore the same ETag.
 */
async function* inParts(pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = [];
  let bytes = 0;
  for await (let piece of pieces) {
    while (bytes + piece.length >= partBytes) {
      const end = partBytes - bytes;
      yield Buffer.concat([...held, piece.subarray(0, end)]);
      piece = piece.subarray(end);
      held = [];
      bytes = 0;
    }
    held.push(piece);
    bytes += piece.length;
  }
  yield Buffer.concat(held);
}

/** Uploads pieces as one object, with one part in memory at a time. S3 discards an interrupted upload after a day. */
export async function upload(
  client: S3Client,
  target: CreateMultipartUploadCommandInput,
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<void> {
  const { Bucket, Key } = target;
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(target));
  const Parts: CompletedPart[] = [];
  for await (const Body of inParts(pieces)) {
    const PartNumber = Parts.length + 1;
    const { ETag } = await client.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body }));
    Parts.push({ ETag, PartNumber });
  }
  await client.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }));
}
