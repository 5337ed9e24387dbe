import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { callTimes, serviceAt } from '../aws-client.ts';
import { type FileKind, type FilePlace, type Files, linkLifeInSeconds } from './files.ts';
import { upload } from './upload.ts';

/** Files in a bucket of S3. Only what keeps or shows files imports this: the client is larger than the rest of a bundle. */

const times = { connectionTimeoutInMs: 1_000, replyTimeoutInMs: 10_000 };

/** `endpoint`: of a local S3, which takes any credentials. */
export function s3Client(endpoint?: string): S3Client {
  return new S3Client({
    requestHandler: callTimes(times),
    ...serviceAt(endpoint),
    // A loopback address has no names below it.
    ...(endpoint === undefined ? {} : { forcePathStyle: true }),
  });
}

/** RFC 8187 §3.2.1 lets fewer characters stand as they are than an address does. */
function extendedValue(text: string): string {
  return encodeURIComponent(text).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
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
  return {
    put: async ({ content, ...file }) => {
      await client.send(new PutObjectCommand({ ...at(file), ...headers(file), Body: content }));
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
