import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Checks AWS Signature Version 4 in place of the local S3, which accepts any request on this machine. */

export interface Signer {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

type Received = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;

interface Signed {
  readonly credential: string;
  readonly names: readonly string[];
  readonly signature: string;
  readonly date: string;
  readonly validForInS: number;
  readonly payload: string;
}

/** S3 accepts clocks that differ by this. */
const skewInS = 15 * 60;
const algorithm = 'AWS4-HMAC-SHA256';

const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

const headerOf = ({ headers }: Received, name: string) =>
  String(headers[name] ?? '')
    .trim()
    .replaceAll(/ +/g, ' ');

/** Reads the signature of an address, which callers get, or of a header, which this process sends. */
function readSigned(received: Received, query: URLSearchParams): Signed | undefined {
  const { headers } = received;
  if (headers.authorization === undefined) {
    const names = query.get('X-Amz-SignedHeaders')?.split(';') ?? [];
    // S3 refuses headers that change a request and are not signed.
    const isAdded = Object.keys(headers).some((name) => name.startsWith('x-amz-') && !names.includes(name));
    const of = (name: string) => query.get(`X-Amz-${name}`) ?? '';
    if (isAdded || of('Algorithm') !== algorithm) return undefined;
    const validForInS = Number(of('Expires'));
    const payload = query.get('X-Amz-Content-Sha256') ?? 'UNSIGNED-PAYLOAD';
    return { credential: of('Credential'), names, signature: of('Signature'), date: of('Date'), validForInS, payload };
  }
  const [, credential = '', names = '', signature = ''] =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=(\w+)$/.exec(headers.authorization) ?? [];
  const payload = headerOf(received, 'x-amz-content-sha256');
  const date = headerOf(received, 'x-amz-date');
  return { credential, names: names.split(';'), signature, date, validForInS: skewInS, payload };
}

function isInTime({ date, validForInS }: Signed, now: Date): boolean {
  const iso = date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z');
  const ageInS = (now.getTime() - Date.parse(iso)) / 1_000;
  return ageInS >= -skewInS && ageInS <= validForInS;
}

function canonicalQuery(query: URLSearchParams): string {
  const pairs = [...query].filter(([name]) => name !== 'X-Amz-Signature');
  return pairs
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&');
}

/** Returns whether the request is signed with the secret of this process, and not too late. */
export function isSigned(received: Received, { accessKeyId, secretAccessKey }: Signer, now: Date): boolean {
  const [path = '', ...rest] = (received.url ?? '').split('?');
  const query = new URLSearchParams(rest.join('?').replaceAll('+', '%2B'));
  const signed = readSigned(received, query);
  if (!signed?.names.includes('host') || !isInTime(signed, now)) return false;
  const { credential, names, signature, date, payload } = signed;
  const [id, ...scope] = credential.split('/');
  if (id !== accessKeyId || scope.length !== 4) return false;
  const headers = names.map((name) => `${name}:${headerOf(received, name)}\n`).join('');
  const request = [received.method, path, canonicalQuery(query), headers, names.join(';'), payload].join('\n');
  const text = [algorithm, date, scope.join('/'), hash('sha256', request)].join('\n');
  const key = scope.reduce<string | Buffer>(
    (secret, part) => createHmac('sha256', secret).update(part).digest(),
    `AWS4${secretAccessKey}`,
  );
  const own = createHmac('sha256', key).update(text).digest();
  const given = Buffer.from(signature, 'hex');
  return given.length === own.length && timingSafeEqual(given, own);
}
