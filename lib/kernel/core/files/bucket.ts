import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { callTimes, chooseEndpoint } from '../aws-client.ts';
import {
  addressLifeInSeconds,
  type FileKind,
  type FilePlace,
  type Files,
  fileAreas,
  fileChanged,
  linkLifeInSeconds,
} from './files.ts';
import { partBytes, upload } from './upload.ts';

/** Keeps files in an S3 bucket. Only functions that need files import this: the client is larger than the rest of a bundle. */

const times = { connectionTimeoutInMs: 1_000, replyTimeoutInMs: 10_000 };
/** Limits the wait for the next piece of a body. The SDK's own limits end with the headers. */
const usualPieceLimitInMs = 10_000;

const ignore = () => {};

type Credentials = Exclude<S3ClientConfig['credentials'], undefined>;

/**
 * Returns a client. `endpoint` is the address of a local S3, which accepts any credentials, unless `credentials` are
 * given.
 */
export function createS3Client(endpoint?: string, credentials?: Credentials): S3Client {
  return new S3Client({
    requestHandler: callTimes(times),
    // An address is signed before its file exists. A checksum in the address would match an empty file only.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    // The SDK warns of a body of unknown length when it signs an address. Failures are thrown.
    logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    ...chooseEndpoint(endpoint),
    ...(credentials === undefined ? {} : { credentials }),
    // A loopback address has no subdomains.
    ...(endpoint === undefined ? {} : { forcePathStyle: true }),
  });
}

/** Encodes more characters than an address needs (RFC 8187 §3.2.1). */
function extendedValue(text: string): string {
  return encodeURIComponent(text).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
}

function isAnswered(error: unknown, ...statuses: readonly number[]): boolean {
  return error instanceof S3ServiceException && statuses.includes(error.$metadata.httpStatusCode ?? 0);
}

async function within<T>(promise: Promise<T>, limitInMs: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Error(`a file's next bytes did not come within ${limitInMs} ms`)),
    limitInMs,
  );
  return await Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Yields the pieces of a body. The time that their user needs does not count. */
async function* readPieces(body: ReadableStream<Uint8Array>, limitInMs: number): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await within(reader.read(), limitInMs);
      if (done) return;
      yield value;
    }
  } finally {
    // Neither a stalled body nor a user that stops early keeps the connection.
    reader.cancel().catch(ignore);
  }
}

/** Reads a body. Throws if it stalls. */
export async function readWhole(body: ReadableStream<Uint8Array>, limitInMs = usualPieceLimitInMs): Promise<Buffer> {
  const found: Uint8Array[] = [];
  for await (const piece of readPieces(body, limitInMs)) found.push(piece);
  return Buffer.concat(found);
}

export function createBucketFiles(client: S3Client, bucket: string, pieceLimitInMs = usualPieceLimitInMs): Files {
  const at = ({ area, projectId, place }: FilePlace) => ({ Bucket: bucket, Key: `${area}/${projectId}/${place}` });
  const headers = ({ name, type }: FileKind) => ({
    ContentType: type,
    ContentDisposition: `attachment; filename*=UTF-8''${extendedValue(name)}`,
  });
  async function whole(file: FilePlace): Promise<Buffer> {
    const { Body } = await client.send(new GetObjectCommand(at(file)));
    return Body ? readWhole(Body.transformToWebStream(), pieceLimitInMs) : Buffer.alloc(0);
  }
  async function* contents(files: readonly FilePlace[]) {
    for (const file of files) yield await whole(file);
  }
  async function* pieces(file: FilePlace, from: number, version?: string): AsyncGenerator<Uint8Array> {
    const range = from > 0 ? { Range: `bytes=${from}-` } : {};
    const asked = { ...at(file), ...range, ...(version === undefined ? {} : { IfMatch: version }) };
    const { Body } = await client.send(new GetObjectCommand(asked)).catch((error) => {
      // S3 refuses a range that begins at the end of a file.
      if (isAnswered(error, 416)) return { Body: undefined };
      throw isAnswered(error, 412) ? fileChanged() : error;
    });
    if (Body) yield* readPieces(Body.transformToWebStream(), pieceLimitInMs);
  }
  async function removeBelow(prefix: string): Promise<void> {
    for (;;) {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix }));
      if (Contents.length === 0) return;
      for (const { Key } of Contents) await client.send(new DeleteObjectCommand({ Bucket: bucket, Key }));
    }
  }
  return {
    pieces,
    address: (file, bytes) => {
      const put = new PutObjectCommand({ ...at(file), ContentLength: bytes });
      return getSignedUrl(client, put, { expiresIn: addressLifeInSeconds });
    },
    state: async (file) => {
      try {
        const { ContentLength: bytes = 0, ETag: version = '' } = await client.send(new HeadObjectCommand(at(file)));
        return { bytes, version };
      } catch (error) {
        // S3 answers 403 for a missing file if the role may not list the bucket.
        if (isAnswered(error, 403, 404)) return undefined;
        throw error;
      }
    },
    put: async ({ content, ...file }) => {
      const bytes = Buffer.from(content);
      // The local S3 refuses a large body in a single request.
      if (bytes.length > partBytes) return upload(client, { ...at(file), ...headers(file) }, [bytes]);
      await client.send(new PutObjectCommand({ ...at(file), ...headers(file), Body: bytes }));
    },
    read: async (file) => (await whole(file)).toString('utf8'),
    join: (file, parts) => upload(client, { ...at(file), ...headers(file) }, contents(parts)),
    remove: async (file) => {
      await client.send(new DeleteObjectCommand(at(file)));
    },
    removeAll: async (projectId) => {
      for (const area of fileAreas) await removeBelow(`${area}/${projectId}/`);
    },
    link: (file) => getSignedUrl(client, new GetObjectCommand(at(file)), { expiresIn: linkLifeInSeconds }),
  };
}
