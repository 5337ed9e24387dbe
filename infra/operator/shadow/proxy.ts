import { once } from 'node:events';
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
import { ask, hasSession, isAskable, parseAnswer, type Service } from './ask.ts';
import type { Caused } from './compare.ts';
import type { Tally } from './tally.ts';

/**
 * Acts as a proxy for a till's service: forwards every request, and also sends it to another service. The till never
 * waits for the other service.
 */

export interface Settings {
  /** The address of the service that counts. */
  readonly to: string;
  readonly other: Service;
  readonly tally: Tally;
  readonly onDifferences?: (request: string, differences: readonly Caused[]) => void;
  /** Gets each compared request with the answer that counts. */
  readonly onAnswer?: (line: string) => void;
  /** Limits a request to the service that counts. */
  readonly timeoutInMs?: number;
}

/** Longer than a till waits, and than a gateway lets a request run. */
const usualTimeoutInMs = 120_000;
/** A target with two slashes, a backslash or a host would lead to another host. */
const ownPath = /^\/(?![/\\])/;

/** Further simultaneous requests are left out, so that a slow service uses no memory. */
const atOnce = 50;
/** A larger body is forwarded, but not sent to the other service. */
const largest = 1_000_000;

/** Headers that concern one connection. The proxy itself answers an expectation. A packed answer could not be compared. */
const ofConnection = [
  'accept-encoding',
  'connection',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'proxy-connection',
];

const kept = ({ headers }: IncomingMessage) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !ofConnection.includes(name)));

/** Keeps the chunks of a body. Without them, the body of a GET would be read as further requests. */
const framing = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] === undefined ? {} : { 'transfer-encoding': 'chunked' };

/** Collects a stream while it passes on. Returns nothing if it is too large. */
function listen(stream: IncomingMessage): BodyOf {
  let pieces: Buffer[] | undefined = [];
  let size = 0;
  stream.on('data', (piece: Buffer) => {
    size += piece.length;
    if (size > largest) pieces = undefined;
    pieces?.push(piece);
  });
  return () => pieces && Buffer.concat(pieces).toString();
}

type BodyOf = () => string | undefined;

function attempt(work: () => void, failed: () => void): void {
  try {
    work();
  } catch {
    failed();
  }
}

export function startProxy(settings: Settings): Server & { idle: () => Promise<void> } {
  const { to, other, tally, onDifferences, onAnswer } = settings;
  const counts = new URL(to);
  const send = counts.protocol === 'https:' ? httpsRequest : httpRequest;
  const underWay = new Set<Promise<void>>();

  async function compare(path: string, body: string, status: number, text: string): Promise<void> {
    const one = parseAnswer(status, text);
    onAnswer?.(JSON.stringify({ method: 'POST', path, body: JSON.parse(body), status, reply: one.body }));
    const differences = tally.add(path, one, await ask(other, path, body));
    if (differences.length > 0) onDifferences?.(path, differences);
  }

  /** Returns why the request is not sent to the other service. */
  function findObstacle(body: string | undefined, text: string | undefined): string | undefined {
    if (body === undefined || text === undefined) return 'it is too large';
    if (hasSession(body)) return 'it has a session, which would lock';
    return underWay.size >= atOnce ? 'the other service is too slow' : undefined;
  }

  function consider(path: string, status: number, body = '', text = ''): void {
    const one: Promise<void> = compare(path, body, status, text)
      .catch(() => tally.leave('the other service did not answer'))
      .finally(() => underWay.delete(one));
    underWay.add(one);
  }

  /** Gives the till the answer, and compares it with the other service's. */
  function passOn(
    incoming: IncomingMessage,
    bodyOf: BodyOf | undefined,
    reply: IncomingMessage,
    response: ServerResponse,
  ) {
    const { url: path = '' } = incoming;
    const textOf = bodyOf && listen(reply);
    const status = reply.statusCode ?? 502;
    response.writeHead(status, kept(reply));
    reply.pipe(response);
    reply.on('end', () => {
      if (!bodyOf || !textOf) return;
      const [body, text] = [bodyOf(), textOf()];
      const obstacle = findObstacle(body, text);
      if (obstacle === undefined) consider(path, status, body, text);
      else tally.leave(obstacle);
    });
  }

  function forward(incoming: IncomingMessage, response: ServerResponse): void {
    const { method = 'GET', url: path = '' } = incoming;
    const fail = (status: number) => {
      if (response.headersSent) response.destroy();
      else response.writeHead(status).end();
    };
    // Without these listeners, a till that leaves would end the process.
    for (const end of [incoming, response]) end.on('error', () => response.destroy());
    if (!ownPath.test(path)) {
      fail(400);
      return;
    }
    const bodyOf = isAskable(method, path) ? listen(incoming) : undefined;
    const headers = { ...kept(incoming), ...framing(incoming), host: counts.host };
    const { protocol, hostname, port } = counts;
    const host = hostname.replace(/^\[|\]$/g, '');
    const sent = send({ protocol, host, port, path, method, headers });
    const deadline = setTimeout(() => {
      fail(504);
      sent.destroy();
    }, settings.timeoutInMs ?? usualTimeoutInMs);
    const failed = () => {
      sent.destroy();
      if (!response.writableEnded) fail(502);
    };
    sent.on('error', failed);
    sent.on('upgrade', (_, socket) => {
      socket.destroy();
      failed();
    });
    sent.on('response', (reply) => {
      sent.off('close', failed);
      reply.on('error', failed);
      attempt(() => passOn(incoming, bodyOf, reply, response), failed);
    });
    sent.on('close', failed);
    response.on('close', () => {
      clearTimeout(deadline);
      sent.destroy();
    });
    incoming.pipe(sent);
  }

  /** Keeps a request or an answer that node:http refuses from ending the process. */
  function serve(incoming: IncomingMessage, response: ServerResponse): void {
    attempt(
      () => forward(incoming, response),
      () => (response.headersSent ? response.destroy() : response.writeHead(400).end()),
    );
  }

  const idle = async () => {
    await Promise.all(underWay);
  };
  return Object.assign(createServer(serve), { idle });
}

/** Ends the proxy after the answers in progress. */
export async function stopProxy(proxy: ReturnType<typeof startProxy>): Promise<void> {
  proxy.close();
  proxy.closeIdleConnections();
  await proxy.idle();
  proxy.closeAllConnections();
  if (proxy.listening) await once(proxy, 'close');
}
