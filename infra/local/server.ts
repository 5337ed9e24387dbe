import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type { Dependencies } from '../../lib/composition.ts';
import { ServiceError } from '../../lib/errors.ts';
import { causeOf } from '../../lib/failure.ts';
import type { Endpoint, LambdaHandler } from '../../lib/http/endpoint.ts';
import { errorReply } from '../../lib/http/reply.ts';
import { routes } from '../../lib/routes/index.ts';
import { bySpecificity, matchPath } from '../../lib/routes/match.ts';
import type { Route } from '../../lib/routes/route.ts';
import { docsFiles } from '../docs/files.ts';
import { type DocsHandler, docsHandler, docsPaths } from '../docs/handler.ts';
import { decodeSegments, type ReceivedRequest, splitTarget, toGatewayEvent } from './gateway-event.ts';

export interface RunningServer {
  baseUrl: string;
  /** Lets running requests end, and ends all connections. */
  close: () => Promise<void>;
}

interface ServerOptions {
  dependencies: Dependencies;
  /** 0: any that is free. */
  port: number;
  host?: string;
  patience?: Patience;
}

/** How long a caller may take to send a request: whoever is slower is answered 408 and cut off. */
export interface Patience {
  /** For its headers, from the connection or the request before on. */
  headersInMs: number;
  /** For all of it. */
  requestInMs: number;
}

/** What an HTTP API takes of a request's body. */
export const gatewayBodyLimitInBytes = 10 * 1024 * 1024;
/** What an HTTP API waits for its function. */
const functionTimeInMs = 30_000;
const usualPatience: Patience = { headersInMs: 10_000, requestInMs: 30_000 };
/** How long a caller may go on sending a body that was refused, so that it gets to read the refusal. */
const lingerInMs = 2_000;
const closeWithinInMs = 3_000;

interface Served {
  operation: string;
  route: Route;
  handle: LambdaHandler;
}

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'function' && 'operation' in value && 'with' in value;
}

async function loadEndpoint(operation: string): Promise<Endpoint> {
  const functionFile: { handler?: unknown } = await import(`../../functions/${operation}.ts`);
  const { handler } = functionFile;
  if (!isEndpoint(handler) || handler.operation !== operation) {
    throw new Error(`functions/${operation}.ts does not export the handler of ${operation}`);
  }
  return handler;
}

async function loadFunctions(dependencies: Dependencies): Promise<{ served: Served[]; fallback: Served }> {
  const all = await Promise.all(
    Object.entries<Route>(routes).map(async ([operation, route]) => ({
      operation,
      route,
      handle: (await loadEndpoint(operation)).with(dependencies),
    })),
  );
  const fallback = all.find(({ operation }) => operation === 'unknown-path');
  if (!fallback) throw new Error('the routes lack unknown-path');
  return { served: all.toSorted((a, b) => bySpecificity(a.route, b.route)), fallback };
}

/** The function's context, as far as it has a meaning here. */
function localContext(operation: string, requestId: string): Context {
  const deadline = performance.now() + functionTimeInMs;
  return {
    callbackWaitsForEmptyEventLoop: false,
    functionName: operation,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:local:000000000000:function:${operation}`,
    memoryLimitInMB: '512',
    awsRequestId: requestId,
    logGroupName: 'local',
    logStreamName: 'local',
    getRemainingTimeInMillis: () => Math.max(0, deadline - performance.now()),
    done: () => {},
    fail: () => {},
    succeed: () => {},
  };
}

function announcesTooMuch({ headers }: IncomingMessage): boolean {
  return Number(headers['content-length'] ?? 0) > gatewayBodyLimitInBytes;
}

/** The whole body; undefined as soon as it is more than the gateway takes. */
function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    if (announcesTooMuch(request)) return resolve(undefined);
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > gatewayBodyLimitInBytes) {
        chunks.length = 0;
        resolve(undefined);
      } else {
        chunks.push(chunk);
      }
    });
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('error', reject);
    request.once('close', () => reject(new Error('the caller went away')));
  });
}

function write(response: ServerResponse, reply: APIGatewayProxyStructuredResultV2): void {
  const body = Buffer.from(reply.body ?? '', reply.isBase64Encoded ? 'base64' : 'utf8');
  for (const [name, value] of Object.entries(reply.headers ?? {})) response.setHeader(name, String(value));
  if (reply.cookies) response.setHeader('Set-Cookie', reply.cookies);
  response.statusCode = reply.statusCode ?? 200;
  if (response.statusCode !== 204) response.setHeader('Content-Length', body.length);
  response.write(body);
}

/** Reads the rest of a refused body away: a connection closed on unread bytes is reset, and the refusal lost. */
async function discardRest(request: IncomingMessage): Promise<void> {
  if (request.readableEnded || request.destroyed) return;
  const late = setTimeout(() => request.destroy(), lingerInMs);
  request.resume();
  await once(request, 'close').catch(() => {});
  clearTimeout(late);
}

/** The HTTP API on this machine: the same routes and functions over node:http. */
export async function startServer({
  dependencies,
  port,
  host = '127.0.0.1',
  patience: { headersInMs, requestInMs } = usualPatience,
}: ServerOptions): Promise<RunningServer> {
  const { served, fallback } = await loadFunctions(dependencies);
  let address = `${host}:${port}`;
  let closing = false;

  let madeDocs: Promise<DocsHandler> | undefined;
  /** Made when somebody first asks for them: no start waits for it. */
  function docs(): Promise<DocsHandler> {
    madeDocs ??= docsFiles().then((files) => docsHandler(files, dependencies.log));
    return madeDocs;
  }

  function refusal(error: ServiceError, requestId: string, cause?: unknown): APIGatewayProxyStructuredResultV2 {
    const reply = errorReply(error, requestId);
    dependencies.log(
      JSON.stringify({
        level: cause === undefined ? 'info' : 'error',
        time: dependencies.clock().toISOString(),
        request_id: requestId,
        operation: null,
        status: reply.statusCode,
        error_key: error.key,
        ...(cause === undefined ? {} : causeOf(cause)),
      }),
    );
    return { ...reply, headers: { ...reply.headers, 'X-Request-Id': requestId } };
  }

  async function invoke(request: ReceivedRequest): Promise<APIGatewayProxyStructuredResultV2> {
    const segments = decodeSegments(splitTarget(request.target).path);
    if (!segments) {
      throw new ServiceError('invalid_path_params', { details: 'the path must be percent-encoded UTF-8' });
    }
    // Encoded again, in the one canonical way, so that a slash inside a segment divides nothing.
    const path = segments.map(encodeURIComponent).join('/');
    const docsPath = docsPaths.find((pattern) => matchPath(pattern, path));
    if (docsPath) return (await docs())(toGatewayEvent(request, `ANY ${docsPath}`, segments.join('/'), undefined));
    const fits = ({ route }: Served) => route.method === request.method && matchPath(route.path, path) !== undefined;
    const { operation, route, handle } = served.find(fits) ?? fallback;
    const parameters = Object.entries(matchPath(route.path, path) ?? {}).map(([name, value]) => [
      name,
      decodeURIComponent(value),
    ]);
    const event = toGatewayEvent(
      request,
      `${route.method} ${route.path}`,
      segments.join('/'),
      parameters.length > 0 ? Object.fromEntries(parameters) : undefined,
    );
    return handle(event, localContext(operation, request.requestId));
  }

  async function answer(request: IncomingMessage, body: Buffer): Promise<APIGatewayProxyStructuredResultV2> {
    const requestId = randomUUID();
    try {
      return await invoke({
        method: request.method ?? '',
        target: request.url ?? '/',
        rawHeaders: request.rawHeaders,
        body,
        httpVersion: request.httpVersion,
        sourceIp: request.socket.remoteAddress ?? '',
        requestId,
        receivedAt: dependencies.clock(),
        address,
      });
    } catch (error) {
      if (error instanceof ServiceError) return refusal(error, requestId);
      return refusal(
        new ServiceError('internal_error', { details: 'see the log by the request id' }),
        requestId,
        error,
      );
    }
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'GET' && request.url === '/healthz') {
      write(response, { headers: { 'Content-Type': 'application/json; charset=utf-8' }, body: '{"status":"ok"}' });
      return;
    }
    const body = await readBody(request);
    if (body) {
      const reply = await answer(request, body);
      if (closing) response.setHeader('Connection', 'close');
      write(response, reply);
      return;
    }
    const details = `the body must have at most ${gatewayBodyLimitInBytes} bytes`;
    response.setHeader('Connection', 'close');
    write(response, refusal(new ServiceError('payload_too_large', { details }), randomUUID()));
    await discardRest(request);
  }

  /** How many requests are under way on each connection; node:http itself does not count those that never sent one. */
  const underWay = new Map<Socket, number>();
  const count = (socket: Socket, change: number) => {
    const before = underWay.get(socket);
    if (before !== undefined) underWay.set(socket, before + change);
  };
  function take(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    count(socket, 1);
    response.once('close', () => count(socket, -1));
    serve(request, response).then(
      () => response.end(),
      // Only a caller that went away, or a reply that HTTP does not allow, ends here.
      () => response.destroy(),
    );
  }
  const server = createServer(
    {
      headersTimeout: headersInMs,
      requestTimeout: requestInMs,
      // Node.js looks for slow callers so often.
      connectionsCheckingInterval: Math.ceil(Math.min(headersInMs, requestInMs) / 4),
    },
    take,
  );
  // Who asks first is told to go on, unless what he announces would be refused.
  server.on('checkContinue', (request, response) => {
    if (!announcesTooMuch(request)) response.writeContinue();
    take(request, response);
  });
  server.on('connection', (socket) => {
    underWay.set(socket, 0);
    socket.once('close', () => underWay.delete(socket));
  });
  server.listen(port, host);
  await once(server, 'listening');
  const bound = server.address();
  if (bound !== null && typeof bound !== 'string') address = `${host}:${bound.port}`;

  return {
    baseUrl: `http://${address}`,
    close: async () => {
      closing = true;
      const closed = once(server, 'close');
      server.close();
      for (const [socket, requests] of underWay) if (requests === 0) socket.destroy();
      const late = setTimeout(() => server.closeAllConnections(), closeWithinInMs);
      await closed;
      clearTimeout(late);
    },
  };
}
