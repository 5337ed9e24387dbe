import { Complaint } from '../../command-line.ts';

/** Limits the time of a call, and of the work after a request. */
export const patience = { callInMs: 30_000, workInMs: 180_000, firstInMs: 50, betweenInMs: 1_000 } as const;

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed body if it is JSON, else the bytes as text. */
  readonly body: unknown;
}

export interface Sent {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** `false` sends the call without credentials. */
  readonly credentials?: boolean;
}

export interface Service {
  readonly send: (route: string, sent?: Sent) => Promise<Reply>;
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** Calls the service at `address` with an app key. Throws `Complaint` if nothing answers within 30 seconds. */
export function connectService(address: URL, credentials: Readonly<Record<string, string>>): Service {
  return {
    send: async (route, { body, headers = {}, credentials: isKnown = true } = {}) => {
      const [method = '', path = ''] = route.split(' ');
      const isText = typeof body === 'string' || body instanceof FormData || body instanceof URLSearchParams;
      const reply = await fetch(new URL(path, address), {
        method,
        headers: {
          ...(isKnown && credentials),
          ...(body !== undefined && !isText && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
        // Another host must not get the token.
        redirect: 'manual',
        signal: AbortSignal.timeout(patience.callInMs),
      }).catch((error: unknown) => {
        throw new Complaint(`${route} got no answer from ${address.origin}: ${reasonOf(error)}`);
      });
      return { status: reply.status, headers: reply.headers, body: parsed(await reply.text()) };
    },
  };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
