import type { APIGatewayProxyEventV2 } from 'aws-lambda';

/** Holds what the server has read of one request. */
export interface ReceivedRequest {
  method: string;
  /** The request target, unchanged. */
  target: string;
  /** Names and values in turn, unchanged. */
  rawHeaders: readonly string[];
  body: Buffer;
  httpVersion: string;
  sourceIp: string;
  requestId: string;
  receivedAt: Date;
  /** The server's own address. It replaces a Host header that is missing or invalid. */
  address: string;
}

export interface Target {
  /** The path, percent-encoded. */
  path: string;
  query: string;
}

/** Splits a request target into path and query. It may be in absolute form (RFC 9112 §3.2.2). */
export function splitTarget(target: string): Target {
  const local = target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?]*/i, '');
  const mark = local.indexOf('?');
  const path = mark < 0 ? local : local.slice(0, mark);
  return { path: path === '' ? '/' : path, query: mark < 0 ? '' : local.slice(mark + 1) };
}

/** Decodes each segment once. Returns undefined for a broken percent sign or bytes that are not UTF-8. */
export function decodeSegments(path: string): string[] | undefined {
  try {
    return path.split('/').map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

const host = /^(?:[\w.-]{1,253}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i;

/** The gateway passes these types on as text, and everything else in base64, including forms. */
const textualType = /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml)\b|application\/javascript\b)/i;

/** Maps header names to lower case and joins the values of a repeated header. Cookies are kept apart. */
function gatherHeaders(rawHeaders: readonly string[]) {
  const headers = new Map<string, string>();
  const cookies: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    const value = rawHeaders[index + 1] ?? '';
    if (name === 'cookie') cookies.push(...value.split(/; */).filter((cookie) => cookie !== ''));
    else headers.set(name, headers.has(name) ? `${headers.get(name)},${value}` : value);
  }
  return { headers, cookies };
}

function joinedParameters(query: string): Record<string, string> | undefined {
  const parameters = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    parameters.set(name, parameters.has(name) ? `${parameters.get(name)},${value}` : value);
  }
  return parameters.size === 0 ? undefined : Object.fromEntries(parameters);
}

/** Writes a time like `12/Mar/2026:19:03:58 +0000`. */
function commonLogTime(time: Date): string {
  const [, day, month, year, clock] = time.toUTCString().split(' ');
  return `${day}/${month}/${year}:${clock} +0000`;
}

/** Builds the event that an HTTP API sends to its function: payload format 2.0. */
export function buildGatewayEvent(
  request: ReceivedRequest,
  routeKey: string,
  decodedPath: string,
  pathParameters: Record<string, string> | undefined,
): APIGatewayProxyEventV2 {
  const { query } = splitTarget(request.target);
  const { headers, cookies } = gatherHeaders(request.rawHeaders);
  const sentHost = headers.get('host') ?? '';
  const domainName = host.test(sentHost) ? sentHost : request.address;
  headers.set('x-forwarded-proto', 'http');
  headers.set('x-forwarded-for', [headers.get('x-forwarded-for') ?? [], request.sourceIp].flat().join(', '));
  const queryStringParameters = joinedParameters(query);
  const isText = textualType.test(headers.get('content-type') ?? '');
  return {
    version: '2.0',
    routeKey,
    rawPath: decodedPath,
    rawQueryString: query,
    ...(cookies.length > 0 ? { cookies } : {}),
    headers: Object.fromEntries(headers),
    ...(queryStringParameters ? { queryStringParameters } : {}),
    ...(pathParameters ? { pathParameters } : {}),
    requestContext: {
      accountId: 'local',
      apiId: 'local',
      domainName,
      domainPrefix: 'local',
      http: {
        method: request.method,
        path: decodedPath,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp: request.sourceIp,
        userAgent: headers.get('user-agent') ?? '',
      },
      requestId: request.requestId,
      routeKey,
      stage: '$default',
      time: commonLogTime(request.receivedAt),
      timeEpoch: request.receivedAt.getTime(),
    },
    ...(request.body.length > 0 ? { body: request.body.toString(isText ? 'utf8' : 'base64') } : {}),
    isBase64Encoded: request.body.length > 0 && !isText,
  };
}
