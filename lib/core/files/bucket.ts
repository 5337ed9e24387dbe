import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { callTimes, serviceAt } from '../aws-client.ts';
import {
  addressLifeInSeconds,
  type FileKind,
  type FilePlace,
  type Files,
  fileChanged,
  linkLifeInSeconds,
} from './files.ts';
import { partBytes, upload } from './upload.ts';

/** Files in a bucket of S3. Only what keeps or shows files imports this: the client is larger than the rest of a bundle. */

const times = { connectionTimeoutInMs: 1_000, replyTimeoutInMs: 10_000 };

const ignore = () => {};

/** `endpoint`: of a local S3, which takes any credentials. */
export function s3Client(endpoint?: string): S3Client {
  return new S3Client({
    requestHandler: callTimes(times),
    // An address is signed before its file exists: a checksum in it would be that of nothing, and refuse every file.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    // The SDK warns of a body of unknown length where an address is signed. What goes wrong is thrown.
    logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    ...serviceAt(endpoint),
    // A loopback address has no names below it.
    ...(endpoint === undefined ? {} : { forcePathStyle: true }),
  });
}

/** RFC 8187 §3.2.1 lets fewer characters stand as they are than an address does. */
function extendedValue(text: string): string {
  return encodeURIComponent(text).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
}

function isAnswered(error: unknown, ...statuses: readonly number[]): boolean {
  return error instanceof S3ServiceException && statuses.includes(error.$metadata.httpStatusCode ?? 0);
}

export function bucketFiles(client: S3Client, bucket: string): Files {
  const at = ({ area, projectId, place }: FilePlace) => ({ Bucket: bucket, Key: `${area}/${projectId}/${place}` });
  const headers = ({ name, type }: FileKind) => ({
    ContentType: type,
    ContentDisposition: `attachment; filename*=UTF-8''${extendedValue(name)}`,
  });
  async function* contents(files: readonly FilePlace[]) {
    for (const file of files) {
      const { Body } = await client.send(new GetObjectCommand(at(file)));
      if (Body) yield await Body.transformToByteArray();
    }
  }
  async function* pieces(file: FilePlace, from: number, version?: string): AsyncGenerator<Uint8Array> {
    const range = from > 0 ? { Range: `bytes=${from}-` } : {};
    const asked = { ...at(file), ...range, ...(version === undefined ? {} : { IfMatch: version }) };
    const { Body } = await client.send(new GetObjectCommand(asked)).catch((error) => {
      // S3 has no range that begins at the end of a file.
      if (isAnswered(error, 416)) return { Body: undefined };
      throw isAnswered(error, 412) ? fileChanged() : error;
    });
    if (Body) yield* Body.transformToWebStream();
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
        // S3 says 403 of what does not exist to a role that may not list the bucket.
        if (isAnswered(error, 403, 404)) return undefined;
        throw error;
      }
    },
    put: async ({ content, ...file }) => {
      const bytes = Buffer.from(content);
      // The S3 of this machine takes no body of a large file at once.
      if (bytes.length > partBytes) return upload(client, { ...at(file), ...headers(file) }, [bytes]);
      await client.send(new PutObjectCommand({ ...at(file), ...headers(file), Body: bytes }));
    },
    read: async (file) => {
      const { Body } = await client.send(new GetObjectCommand(at(file)));
      return Body ? Body.transformToString() : '';
    },
    join: (file, parts) => upload(client, { ...at(file), ...headers(file) }, contents(parts)),
    remove: async (file) => {
      await client.send(new DeleteObjectCommand(at(file)));
    },
    link: (file) => getSignedUrl(client, new GetObjectCommand(at(file)), { expiresIn: linkLifeInSeconds }),
  };
}
