import { connect, type Socket } from 'node:net';
import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';

type Handler = Extract<DynamoDBClientConfig['requestHandler'], { handle: unknown }>;
type Sent = Parameters<Handler['handle']>[0];
type Answer = Awaited<ReturnType<Handler['handle']>>;

const endOfHead = '\r\n\r\n';
const tooLate = () => Object.assign(new Error('no reply in time'), { name: 'TimeoutError' });
const cutOff = () => Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });

/** Returns the reply once all its bytes have arrived. */
function replyIn(bytes: Buffer): Answer['response'] | undefined {
  const end = bytes.indexOf(endOfHead);
  if (end < 0) return undefined;
  const [first = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  const length = headers['content-length'];
  if (length === undefined) throw new Error('the engine sent a reply without content-length');
  const body = bytes.subarray(end + endOfHead.length);
  if (body.length < Number(length)) return undefined;
  return { statusCode: Number(first.slice(9, 12)), headers, body };
}

/**
 * Sends one call at a time over a kept connection to the engine. Node's own client costs a tenth of the suite's processor time. An engine
 * on the same machine needs neither its streams nor its agents.
 */
export class EngineTransport {
  readonly #idle: Socket[] = [];
  readonly #timeoutInMs: number;

  constructor(timeoutInMs: number) {
    this.#timeoutInMs = timeoutInMs;
  }

  handle({ method, path, hostname, port, headers, body }: Sent, { abortSignal }: { abortSignal?: unknown } = {}) {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const head = Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1');
    const socket = this.#idle.pop() ?? this.#open(hostname, port ?? 80);
    return this.#exchange(
      socket,
      Buffer.concat([head, body]),
      abortSignal instanceof AbortSignal ? abortSignal : undefined,
    );
  }

  destroy(): void {
    for (const socket of this.#idle.splice(0)) socket.destroy();
  }

  updateHttpClientConfig(): void {}

  httpHandlerConfigs() {
    return {};
  }

  #open(hostname: string, port: number): Socket {
    const socket = connect({ host: hostname, port, noDelay: true });
    // An idle connection keeps no process alive, and may end unnoticed.
    socket.on('close', () => {
      const at = this.#idle.indexOf(socket);
      if (at >= 0) this.#idle.splice(at, 1);
    });
    socket.on('error', () => {});
    return socket;
  }

  #exchange(socket: Socket, request: Buffer, abortSignal: AbortSignal | undefined): Promise<Answer> {
    return new Promise((resolve, reject) => {
      let bytes: Buffer | undefined;
      const leave = () => {
        socket.off('data', onData).off('error', onError).off('close', onClose);
        abortSignal?.removeEventListener('abort', onAbort);
        clearTimeout(timer);
      };
      const fail = (error: unknown) => {
        leave();
        socket.destroy();
        reject(error);
      };
      const onError = (error: Error) => fail(error);
      const onClose = () => fail(cutOff());
      const onAbort = () => fail(Object.assign(new Error('Request aborted'), { name: 'AbortError' }));
      const onData = (chunk: Buffer) => {
        bytes = bytes ? Buffer.concat([bytes, chunk]) : chunk;
        try {
          const response = replyIn(bytes);
          if (!response) return;
          leave();
          this.#idle.push(socket.unref());
          resolve({ response });
        } catch (error) {
          fail(error);
        }
      };
      const timer = setTimeout(() => fail(tooLate()), this.#timeoutInMs);
      if (abortSignal?.aborted) return onAbort();
      abortSignal?.addEventListener('abort', onAbort);
      socket.ref().on('data', onData).on('error', onError).on('close', onClose);
      socket.write(request);
    });
  }
}
