import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Route } from '#kernel/http/route.ts';

export interface Request {
  params?: Readonly<Record<string, string>>;
  query?: string;
  headers?: Record<string, string>;
  /** A text is sent unchanged. Any other value gets the route's format: a form, a form with a file, or JSON. */
  body?: unknown;
  path?: string;
  method?: string;
  isBase64Encoded?: boolean;
  /** The address of the caller. */
  sourceIp?: string;
}

const boundary = '----a-boundary';

/** Returns the format of an operation's body. */
export function formatOf({ body }: Pick<Route, 'body'>) {
  return typeof body === 'object' ? body.format : 'json';
}

export const formats = {
  json: { type: 'application/json', write: (body: unknown) => JSON.stringify(body) },
  form: {
    type: 'application/x-www-form-urlencoded',
    write: (body: unknown) => new URLSearchParams(Object(body)).toString(),
  },
  file: {
    type: `multipart/form-data; boundary=${boundary}`,
    write: (body: unknown) =>
      [
        ...Object.entries(Object(body)).map(
          ([name, content]) =>
            `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="${name}.csv"\r\nContent-Type: text/csv\r\n\r\n${content}\r\n`,
        ),
        `--${boundary}--\r\n`,
      ].join(''),
  },
} as const;

/** Makes the gateway's event: payload format 2.0 with a decoded path. */
export function apiEvent(
  route: Route,
  {
    params = {},
    query = '',
    headers = {},
    body,
    path,
    method,
    isBase64Encoded = false,
    sourceIp = '198.51.100.7',
  }: Request,
) {
  const rawPath = path ?? route.path.replace(/\{(\w+)\+?\}/g, (_, name: string) => params[name] ?? '');
  const isText = body === undefined || typeof body === 'string';
  const format = formatOf(route);
  return {
    version: '2.0',
    routeKey: `${route.method} ${route.path}`,
    rawPath,
    rawQueryString: query,
    headers: { 'x-forwarded-proto': 'https', ...(isText ? {} : { 'content-type': formats[format].type }), ...headers },
    pathParameters: params,
    requestContext: {
      requestId: randomUUID(),
      domainName: 'api.tessera.example',
      http: { method: method ?? route.method, path: rawPath, sourceIp },
    },
    ...(body === undefined ? {} : { body: isText ? body : formats[format].write(body) }),
    isBase64Encoded,
  } as unknown as APIGatewayProxyEventV2;
}
