import { isIP } from 'node:net';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as v from 'valibot';

/** Finds the address of a calling browser (docs/operations.md#cdn). */

/** Callers can forge the beginning of these lists. A CDN appends the true address. */
const lists = ['x-forwarded-for', 'forwarded'];

/** The name of a header, as the environment and the deployment set it. */
export const addressHeader = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z][A-Za-z0-9-]{0,99}$/, 'must be the name of a header'),
  v.toLowerCase(),
  v.check(
    (name) => !lists.includes(name),
    'must be a header that the CDN sets itself to one address, such as CloudFront-Viewer-Address: any caller can begin a list',
  ),
);

/** Matches `198.51.100.7:46532`, `[2001:db8::7]:46532` and CloudFront's `2001:db8::7:46532`. */
const withPort = /^\[?(.+?)\]?:\d{1,5}$/;
const hasAlwaysPort = 'cloudfront-viewer-address';

function addressIn(value: string | undefined, header: string): string | undefined {
  const sent = value?.trim() ?? '';
  if (header !== hasAlwaysPort && isIP(sent) !== 0) return sent;
  const [, address = ''] = withPort.exec(sent) ?? [];
  return isIP(address) === 0 ? undefined : address;
}

function groupsOf(address: string): string[] {
  const [plain = ''] = address.split('%');
  const canonical = new URL(`http://[${plain}]/`).hostname.slice(1, -1);
  const [head = [], tail] = canonical.split('::').map((part) => part.split(':').filter((group) => group !== ''));
  if (tail === undefined) return [...head];
  return [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => '0'), ...tail];
}

/** Returns the network of 64 bits for IPv6. A connection can use another address in its network for each call. */
function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const groups = groupsOf(address);
  const isMapped = groups.slice(0, 5).every((group) => group === '0') && groups[5] === 'ffff';
  if (!isMapped) return `${groups.slice(0, 4).join(':')}::/64`;
  const bytes = groups.slice(6).flatMap((group) => {
    const number = Number.parseInt(group, 16);
    return [number >> 8, number & 255];
  });
  return bytes.join('.');
}

/**
 * Returns the caller's network, by which calls of browsers are counted. `header` names the header of a CDN. Without it
 * no header counts, because callers can forge any. A call without a valid header is counted by its connection.
 */
export function readClientAddress(
  { headers, requestContext }: Pick<APIGatewayProxyEventV2, 'headers' | 'requestContext'>,
  header: string | undefined,
): string {
  const told = header === undefined ? undefined : addressIn(headers[header], header);
  return networkOf(told ?? requestContext.http.sourceIp);
}
