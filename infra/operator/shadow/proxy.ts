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

/** Stands before a till's service, forwards everything, and asks another service beside it. The till never waits for the other one. */

export interface Settings {
  /** The address of the service that counts. */
  readonly to: string;
  readonly other: Service;
  readonly tally: Tally;
  readonly onDifferences?: (request: string, differences: readonly Caused[]) => void;
  /** Gets each compared request with the answer that counts. */
  readonly onAnswer?: (line: string) => void;
}

/** More questions at once are left out, so that a slow service takes no memory. */
const atOnce = 50;
/** A larger body is forwarded and not asked. */
const largest = 1_000_000;

/** Headers that concern one connection. A packed answer could not be compared. */
const ofConnection = [
  'accept-encoding',
  'connection',
  'host',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'proxy-connection',
];

const kept = ({ headers }: IncomingMessage) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !ofConnection.includes(name)));

/** Collects a stream while it passes on. Returns nothing if it is too large. */
function listen(stream: IncomingMessage): () => string | undefined {
  let pieces: Buffer[] | undefined = [];
  let size = 0;
  stream.on('data', (piece: Buffer) => {
    size += piece.length;
    if (size > largest) pieces = undefined;
    pieces?.push(piece);
  });
  return () => pieces && Buffer.concat(pieces).toString();
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

  /** Returns why the other service is not asked. */
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

  function forward(incoming: IncomingMessage, response: ServerResponse): void {
    const { method = 'GET', url: path = '/' } = incoming;
    const bodyOf = isAskable(method, path) ? listen(incoming) : undefined;
    const sent = send(new URL(path, counts), { method, headers: { ...kept(incoming), host: counts.host } }, (reply) => {
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
      reply.on('error', () => response.destroy());
    });
    sent.on('error', () => {
      if (response.headersSent) response.destroy();
      else response.writeHead(502).end();
    });
    response.on('close', () => sent.destroy());
    incoming.pipe(sent);
  }

  const idle = async () => {
    await Promise.all(underWay);
  };
  return Object.assign(createServer(forward), { idle });
}

/** Ends the proxy after the answers that are under way. */
export async function stopProxy(proxy: ReturnType<typeof startProxy>): Promise<void> {
  proxy.close();
  proxy.closeIdleConnections();
  await proxy.idle();
  proxy.closeAllConnections();
  if (proxy.listening) await once(proxy, 'close');
}
