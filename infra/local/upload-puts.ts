import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { S3Client } from '@aws-sdk/client-s3';
import type { FilePlace, Files } from '../../lib/core/files/files.ts';
import { partBytes, upload } from '../../lib/core/files/upload.ts';

interface Uploads {
  readonly client: S3Client;
  readonly bucket: string;
  readonly files: Files;
  /** Keeps the file beyond the process. */
  readonly keep?: (file: FilePlace) => Promise<void>;
}

/** Returns the upload of a request, or `undefined` for any other request of S3 or SQS. */
function uploadOf({ method, url = '' }: IncomingMessage, bucket: string): FilePlace | undefined {
  const [, projectId = '', place = ''] = new RegExp(`^/${bucket}/uploads/([^/?]+)/([^/?]+)`).exec(url) ?? [];
  if (method !== 'PUT' || place === '') return undefined;
  return { area: 'uploads', projectId: decodeURIComponent(projectId), place: decodeURIComponent(place) };
}

async function take({ client, bucket, files, keep }: Uploads, file: FilePlace, request: IncomingMessage) {
  const { area, projectId, place } = file;
  const length = Number(request.headers['content-length']);
  if (length > partBytes) await upload(client, { Bucket: bucket, Key: `${area}/${projectId}/${place}` }, request);
  else await files.put({ ...file, name: place, type: 'text/csv', content: Buffer.concat(await request.toArray()) });
  await keep?.(file);
}

/**
 * Takes uploads in place of the S3 of this server. That S3 takes bodies of 11 MiB, but callers may upload files of 100
 * MB. A caller gets its reply once the file is kept.
 */
export function takeUploads(server: Server, uploads: Uploads): void {
  const [others] = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const file = uploadOf(request, uploads.bucket);
    // Only this process sends credentials in a header. Callers have them in the address.
    if (!file || request.headers.authorization !== undefined) {
      if (others) Reflect.apply(others, server, [request, response]);
      return;
    }
    take(uploads, file, request).then(
      () => response.end(),
      () => response.writeHead(500).end(),
    );
  });
}
