import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { ServiceError } from '#kernel/core/errors.ts';
import { describeFailure } from '#kernel/core/failure.ts';
import type { Dependencies } from '#kernel/http/composition.ts';
import { preflightRoute } from '#kernel/http/cors.ts';
import { refuseLargeBody } from '#kernel/http/input.ts';
import { matchPath } from '#kernel/http/match.ts';
import { writeErrorReply } from '#kernel/http/reply.ts';
import { consolePaths } from '../console/handler.ts';
import type { DemoKey } from '../docs/files.ts';
import { docsPaths } from '../docs/handler.ts';
import { createPreflightHandler } from '../docs/preflights.ts';
import { createLocalMcp } from '../mcp/local.ts';
import { mcpPath } from '../mcp/tool.ts';
import { requestLines } from '../operations.ts';
import { createEndpointFinder } from './endpoints.ts';
import { createContext } from './function-context.ts';
import { buildGatewayEvent, decodeSegments, type ReceivedRequest, splitTarget } from './gateway-event.ts';
import { findOwnAddress, isLocalCall, isServedHost } from './loopback.ts';
import { announcesTooMuch, discardRest, readBody, refuseUnread, write } from './messages.ts';
import { createPages } from './pages.ts';
import { RequestsFirst } from './requests-first.ts';

export interface RunningServer {
  baseUrl: string;
  /** Waits for running requests, and ends all connections. */
  close: () => Promise<void>;
}

interface ServerOptions {
  dependencies: Dependencies;
  /** The port. 0 means any free port. */
  port: number;
  host?: string;
  /** Lists names that it answers to besides the names of this machine. */
  allowedHosts?: readonly string[];
  patience?: Partial<Patience>;
  /** Delays other work of the process while requests run. */
  requestsFirst?: RequestsFirst;
  /** Is filled in on the pages for users of this machine. */
  demoKey?: DemoKey | undefined;
  /** Names the add-ons whose operations it does not serve. */
  leftOut?: readonly string[];
}

interface Patience {
  /**
   * Limits the time for the headers, since the connection or the request before, and for the whole request. After this
   * time it answers 408.
   */
  headersInMs: number;
  requestInMs: number;
  /** Limits the time that a close waits for running requests. */
  closeInMs: number;
}

const usualPatience: Patience = { headersInMs: 10_000, requestInMs: 30_000, closeInMs: 3_000 };

/** Serves the HTTP API on this machine: the same routes and functions over node:http. */
export async function startServer({
  dependencies,
  port,
  host = '127.0.0.1',
  allowedHosts = [],
  patience,
  requestsFirst = new RequestsFirst(),
  demoKey,
  leftOut = [],
}: ServerOptions): Promise<RunningServer> {
  const { headersInMs, requestInMs, closeInMs } = { ...usualPatience, ...patience };
  const endpointOf = createEndpointFinder(dependencies, leftOut);
  let baseUrl = findOwnAddress(host, port);
  let address = new URL(baseUrl).host;
  let closing = false;

  const pages = createPages(dependencies.log, demoKey, leftOut);
  // Only callers on this machine see the demo's key.
  const pagesFromOutside = createPages(dependencies.log, undefined, leftOut);

  const preflights = createPreflightHandler({ requestLines, log: dependencies.log });

  const mcp = createLocalMcp(() => baseUrl, process.env, leftOut);

  function refusal(error: ServiceError, requestId: string, cause?: unknown): APIGatewayProxyStructuredResultV2 {
    const reply = writeErrorReply(error, requestId);
    dependencies.log(
      JSON.stringify({
        level: cause === undefined ? 'info' : 'error',
        time: dependencies.clock().toISOString(),
        request_id: requestId,
        status: reply.statusCode,
        error_key: error.key,
        ...(cause === undefined ? {} : describeFailure(cause)),
      }),
    );
    return { ...reply, headers: { ...reply.headers, 'X-Request-Id': requestId } };
  }

  async function invoke(request: ReceivedRequest, isLocal: boolean): Promise<APIGatewayProxyStructuredResultV2> {
    const segments = decodeSegments(splitTarget(request.target).path);
    if (!segments) {
      throw new ServiceError('invalid_path_params', { details: 'the path must be percent-encoded UTF-8' });
    }
    // The path is encoded again in one canonical way, so that a slash inside a segment divides nothing.
    const path = segments.map(encodeURIComponent).join('/');
    const found = endpointOf(request.method, path);
    if (!found && request.method === preflightRoute.method && matchPath(preflightRoute.path, path)) {
      const routeKey = `${preflightRoute.method} ${preflightRoute.path}`;
      return preflights(buildGatewayEvent(request, routeKey, segments.join('/'), undefined));
    }
    if (!found && path === mcpPath) return mcp(buildGatewayEvent(request, `ANY ${mcpPath}`, path, undefined));
    if (!found) {
      const page = [...docsPaths, ...consolePaths].find((pattern) => matchPath(pattern, path));
      const routeKey = page === undefined ? '$default' : `ANY ${page}`;
      const answerPage = isLocal ? pages : pagesFromOutside;
      return answerPage.answer(buildGatewayEvent(request, routeKey, segments.join('/'), undefined));
    }
    const { operation, route, params, handle, handleFromOutside } = found;
    const parameters = Object.entries(params).map(([name, value]) => [name, decodeURIComponent(value)]);
    const event = buildGatewayEvent(
      request,
      `${route.method} ${route.path}`,
      segments.join('/'),
      parameters.length > 0 ? Object.fromEntries(parameters) : undefined,
    );
    return (isLocal ? handle : handleFromOutside)(event, createContext(operation, request.requestId));
  }

  async function answer(request: IncomingMessage, body: Buffer): Promise<APIGatewayProxyStructuredResultV2> {
    const requestId = randomUUID();
    const received: ReceivedRequest = {
      method: request.method ?? '',
      target: request.url ?? '/',
      rawHeaders: request.rawHeaders,
      body,
      httpVersion: request.httpVersion,
      sourceIp: request.socket.remoteAddress ?? '',
      requestId,
      receivedAt: dependencies.clock(),
      address,
    };
    try {
      return await invoke(received, isFromHere(request));
    } catch (error) {
      if (error instanceof ServiceError) return refusal(error, requestId);
      return refusal(
        new ServiceError('internal_error', { details: 'find the cause in the log by the request id' }),
        requestId,
        error,
      );
    }
  }

  /** Refuses a body above the gateway's limit with the message of the operation, whose own limit is lower. */
  function refuseLarge({ method = '', url = '/' }: IncomingMessage): ServiceError {
    const segments = decodeSegments(splitTarget(url).path) ?? [];
    return refuseLargeBody(endpointOf(method, segments.map(encodeURIComponent).join('/'))?.body);
  }

  const isFromHere = ({ headers, socket }: IncomingMessage) => isLocalCall(headers.host, socket.remoteAddress ?? '');

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isServedHost(request.headers.host, allowedHosts)) {
      const names = ['localhost', '127.0.0.1', '[::1]', ...allowedHosts].join(', ');
      const details = `the Host header must be one of ${names}, with any port; ALLOWED_HOSTS names more`;
      response.setHeader('Connection', 'close');
      write(response, refusal(new ServiceError('misdirected_request', { details }), randomUUID()));
      await discardRest(request);
      return;
    }
    if (request.method === 'GET' && request.url === '/healthz') {
      write(response, { headers: { 'Content-Type': 'application/json; charset=utf-8' }, body: '{"status":"ok"}' });
      return;
    }
    const body = await readBody(request);
    if (body) {
      const reply = await requestsFirst.run(() => answer(request, body));
      if (closing) response.setHeader('Connection', 'close');
      write(response, reply);
      return;
    }
    response.setHeader('Connection', 'close');
    write(response, refusal(refuseLarge(request), randomUUID()));
    await discardRest(request);
  }

  /** Counts the running replies of each connection. node:http does not know connections that never sent a request. */
  const underWay = new Map<Duplex, Set<ServerResponse>>();
  function take(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    underWay.get(socket)?.add(response);
    response.once('close', () => underWay.get(socket)?.delete(response));
    serve(request, response).then(
      () => response.end(),
      // Only a lost caller, or a reply that HTTP does not allow, ends here.
      () => response.destroy(),
    );
  }
  const server = createServer(
    {
      headersTimeout: headersInMs,
      requestTimeout: requestInMs,
      // Node.js checks for slow callers at this interval.
      connectionsCheckingInterval: Math.ceil(Math.min(headersInMs, requestInMs) / 4),
    },
    take,
  );
  // Answers `Expect: 100-continue`. The caller continues unless the announced body would be refused.
  server.on('checkContinue', (request, response) => {
    if (!announcesTooMuch(request)) response.writeContinue();
    take(request, response);
  });
  server.on('clientError', (fault, socket) => {
    // Bytes in the middle of another reply would corrupt that reply.
    if ([...(underWay.get(socket) ?? [])].some(({ headersSent }) => headersSent)) socket.destroy();
    else refuseUnread(fault, socket, (error) => refusal(error, randomUUID()));
  });
  server.on('connection', (socket) => {
    underWay.set(socket, new Set());
    socket.once('close', () => underWay.delete(socket));
  });
  server.listen(port, host);
  await once(server, 'listening');
  const bound = server.address();
  if (bound !== null && typeof bound !== 'string') {
    baseUrl = findOwnAddress(host, bound.port);
    address = new URL(baseUrl).host;
  }

  if (demoKey) pages.prepare();
  return {
    baseUrl,
    close: async () => {
      closing = true;
      const closed = once(server, 'close');
      server.close();
      for (const [socket, replies] of underWay) if (replies.size === 0) socket.destroy();
      const late = setTimeout(() => server.closeAllConnections(), closeInMs);
      await closed;
      clearTimeout(late);
    },
  };
}
