import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { S3Client } from '@aws-sdk/client-s3';
import type { FilePlace, Files } from '#kernel/core/files/files.ts';
import { partBytes, upload } from '#kernel/core/files/upload.ts';
import { isServedHost } from './loopback.ts';
import { isSigned, type Signer } from './signed-requests.ts';

interface Uploads {
  readonly client: S3Client;
  readonly bucket: string;
  readonly files: Files;
  /** Keeps the file beyond the process. */
  readonly keep?: (file: FilePlace) => Promise<void>;
  /** The credentials of this process, which sign its own requests and the addresses that callers get. */
  readonly signer: Signer;
  readonly clock: () => Date;
  /** Limits the time of an upload. */
  readonly timeoutInMs?: number;
}

/** Lets a file of 100 MB arrive over a slow line. */
const usualTimeoutInMs = 10 * 60_000;

/** Returns the upload of a signed address, or `undefined` for any other request of S3. */
function uploadOf({ method, url = '' }: IncomingMessage, bucket: string): FilePlace | undefined {
  const [, projectId = '', place = ''] = new RegExp(`^/${bucket}/uploads/([^/?]+)/([^/?]+)(?:\\?|$)`).exec(url) ?? [];
  if (method !== 'PUT' || place === '') return undefined;
  return { area: 'uploads', projectId: decodeURIComponent(projectId), place: decodeURIComponent(place) };
}

async function take({ client, bucket, files, keep, timeoutInMs }: Uploads, file: FilePlace, request: IncomingMessage) {
  const { area, projectId, place } = file;
  const length = Number(request.headers['content-length']);
  const late = setTimeout(() => request.destroy(), timeoutInMs ?? usualTimeoutInMs);
  try {
    if (length > partBytes) await upload(client, { Bucket: bucket, Key: `${area}/${projectId}/${place}` }, request);
    else await files.put({ ...file, name: place, type: 'text/csv', content: Buffer.concat(await request.toArray()) });
    await keep?.(file);
  } finally {
    clearTimeout(late);
  }
}

/**
 * SQS accepts any credentials, because developers inspect queues with the AWS command line. Its requests go to `/`
 * alone.
 */
function isOfSqs({ method, url, headers }: IncomingMessage): boolean {
  return method === 'POST' && url === '/' && (headers['content-type'] ?? '').startsWith('application/x-amz-json-1.0');
}

function mayPass(request: IncomingMessage, { signer, clock }: Uploads): boolean {
  if (!isServedHost(request.headers.host, [])) return false;
  return isOfSqs(request) || isSigned(request, signer, clock());
}

function refuse(request: IncomingMessage, response: ServerResponse, status: number): void {
  response.writeHead(status, { connection: 'close' }).end();
  request.resume();
}

/**
 * Accepts uploads in place of the S3 of this server. That S3 accepts bodies of 11 MiB, but callers may upload files of
 * 100 MB. A caller gets its reply once the file is kept. Unsigned requests are refused, as by S3.
 */
export function takeUploads(server: Server, uploads: Uploads): void {
  const [others] = server.listeners('request');
  server.removeAllListeners('request');
  function serve(request: IncomingMessage, response: ServerResponse): void {
    if (!mayPass(request, uploads)) {
      refuse(request, response, 403);
      return;
    }
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
  }
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    try {
      serve(request, response);
    } catch {
      // A path may have percent signs that encode nothing.
      refuse(request, response, 400);
    }
  });
}
