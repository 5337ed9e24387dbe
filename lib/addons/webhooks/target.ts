import { lookup } from 'node:dns';
import { type ClientRequest, type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestSecurely } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Sends requests to addresses that callers choose, and reaches nothing inside of a network. */

const hidden = new BlockList();
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  hidden.addSubnet(net, bits, 'ipv4');
}
/** Addresses outside of 2000::/3 are local, and those below may lead to an IPv4 address. */
const outside = new BlockList();
outside.addSubnet('2000::', 3, 'ipv6');
const translated = new BlockList();
for (const [net, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
] as const) {
  translated.addSubnet(net, bits, 'ipv6');
}

/** Returns whether the address is private, local, a service of the cloud, or reserved. */
export function isHidden(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return hidden.check(address, 'ipv4');
  if (family !== 6) return true;
  return !outside.check(address, 'ipv6') || translated.check(address, 'ipv6');
}

function refusal(address: string): Error {
  return new Error(`the target has the address ${address}, which is not public`);
}

type Resolve = typeof lookup;

/** Resolves a name once, for the connection itself, so that no second answer can differ. One hidden address refuses the name. */
export function publicLookup(resolve: Resolve = lookup): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      const bad = addresses?.find(({ address }) => isHidden(address));
      if (error || bad || !first) {
        callback(error ?? (bad ? refusal(bad.address) : new Error(`${hostname} has no address`)), '', 0);
        return;
      }
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

export interface Answer {
  /** The status, or `null` if no answer came. */
  readonly status: number | null;
  /** The first characters of the answer, or the failure. */
  readonly text: string;
  /** The time that the receiver wants to wait, in seconds or as a date. */
  readonly retryAfter?: string | undefined;
}

export interface Sent {
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface TargetOptions {
  /** Lets requests reach this machine, even without TLS. Only the local server sets it. */
  readonly allowsLocal?: boolean;
  readonly timeoutInMs?: number;
  readonly resolve?: Resolve;
  /** The certificates of a test's receiver. */
  readonly ca?: string;
}

const usualTimeoutInMs = 10_000;
/** No more of an answer is read. */
const maxReadBytes = 4_096;
const shownCharacters = 200;
/** More answers of 100 and 103 would only waste the time of this process. */
const mostInterim = 10;

/** Keeps only text that a log and a table can show. */
export function shorten(text: string): string {
  return text
    .replace(/[^\P{C}\n]/gu, ' ')
    .toWellFormed()
    .slice(0, shownCharacters);
}

/** Starts the request. Throws if the address may not be reached. */
function open({ url, body, headers }: Sent, { allowsLocal = false, resolve, ca }: TargetOptions): ClientRequest {
  const target = new URL(url);
  const host = target.hostname.replace(/^\[|\]$/g, '');
  if (target.protocol !== 'https:' && !allowsLocal) throw new Error('the target must have an https address');
  if (isIP(host) !== 0 && isHidden(host) && !allowsLocal) throw refusal(host);
  const request = target.protocol === 'https:' ? requestSecurely : requestPlain;
  return request(target, {
    method: 'POST',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
      'user-agent': 'Tessera-Webhooks/1',
      ...headers,
    },
    agent: false,
    ...(allowsLocal ? {} : { lookup: publicLookup(resolve) }),
    ...(ca === undefined ? {} : { ca }),
  });
}

/** The codes of Node.js and OpenSSL for certificates that cannot be trusted. */
const ofCertificate = /^(?:CERT_|ERR_TLS_CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|INVALID_CA)/;
const ofTls = /^(?:EPROTO$|ERR_SSL_)/;

/** Explains a failure to operators. */
function explainFailure({ name, message, code = '' }: Error & { code?: string }): string {
  // OpenSSL's message continues with advice for programmers of Node.js.
  if (ofCertificate.test(code)) return `the target's certificate is refused: ${message.replace(/; if .*/s, '')}`;
  if (ofTls.test(code)) return `the target answers without TLS, or by a version of TLS that is refused: ${code}`;
  return message || code || name;
}

/** Reads the first bytes of an answer. */
function readAnswer(response: IncomingMessage, done: (text: string) => void, failed: (error: Error) => void): void {
  const pieces: Buffer[] = [];
  let bytes = 0;
  const end = () => done(Buffer.concat(pieces).subarray(0, maxReadBytes).toString('utf8'));
  response.on('data', (piece: Buffer) => {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes >= maxReadBytes) end();
  });
  response.once('end', end);
  response.once('error', failed);
  response.once('close', () => failed(new Error('the target closed the connection within its answer')));
}

/**
 * Posts a body, and returns the response. Follows no redirect. Never throws, and always ends within the timeout,
 * because a receiver may leave a request without a response and without an error.
 */
export function post(sent: Sent, options: TargetOptions = {}): Promise<Answer> {
  return new Promise((resolve) => {
    let request: ClientRequest | undefined;
    const settle = (answer: Answer) => {
      clearTimeout(deadline);
      resolve(answer);
      request?.destroy();
    };
    const failed = (error: Error) => settle({ status: null, text: shorten(explainFailure(error)) });
    const deadline = setTimeout(
      () => settle({ status: null, text: 'no answer in time' }),
      options.timeoutInMs ?? usualTimeoutInMs,
    );
    try {
      request = open(sent, options);
    } catch (error) {
      failed(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    // An error may follow the end of the request, and without a listener it would end the process.
    request.on('error', failed);
    const closed = () => failed(new Error('the target closed the connection without an answer'));
    request.once('close', closed);
    let interim = 0;
    request.on('information', () => {
      interim += 1;
      if (interim > mostInterim) failed(new Error('the target sends interim answers without end'));
    });
    request.once('upgrade', ({ statusCode = null, headers }, socket) => {
      socket.destroy();
      settle({ status: statusCode, text: shorten(`the target wants another protocol: ${headers.upgrade ?? ''}`) });
    });
    request.once('response', (response) => {
      const { statusCode = null, headers } = response;
      // A connection that closes also ends an answer without a length.
      request?.off('close', closed);
      readAnswer(
        response,
        (text) => settle({ status: statusCode, text: shorten(text), retryAfter: headers['retry-after'] }),
        failed,
      );
    });
    request.end(sent.body);
  });
}
