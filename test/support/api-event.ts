import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Route } from '../../lib/routes/route.ts';

export interface Request {
  params?: Readonly<Record<string, string>>;
  query?: string;
  headers?: Record<string, string>;
  /** Text is sent as it stands, anything else as JSON. */
  body?: unknown;
  path?: string;
  method?: string;
  isBase64Encoded?: boolean;
}

/** An event as the gateway sends it: payload format 2.0, the path decoded. */
export function apiEvent(
  route: Route,
  { params = {}, query = '', headers = {}, body, path, method, isBase64Encoded = false }: Request,
) {
  const rawPath = path ?? route.path.replace(/\{(\w+)\+?\}/g, (_, name: string) => params[name] ?? '');
  const json = body !== undefined && typeof body !== 'string';
  return {
    version: '2.0',
    routeKey: `${route.method} ${route.path}`,
    rawPath,
    rawQueryString: query,
    headers: { 'x-forwarded-proto': 'https', ...(json ? { 'content-type': 'application/json' } : {}), ...headers },
    pathParameters: params,
    requestContext: {
      requestId: randomUUID(),
      domainName: 'api.tessera.example',
      http: { method: method ?? route.method, path: rawPath },
    },
    ...(body === undefined ? {} : { body: json ? JSON.stringify(body) : body }),
    isBase64Encoded,
  } as unknown as APIGatewayProxyEventV2;
}
