import * as v from 'valibot';

/** Calls a service over HTTP alone, with the credentials of an app. Management is open, as on any local server. */

/** A request that the service has refused. */
export class Refused extends Error {
  readonly key: string;

  constructor(line: string, status: number, { key, details }: { key: string; details: string }) {
    super(`${line} was answered with ${status} ${key}: ${details}`);
    this.key = key;
  }
}

const errorBody = v.object({ key: v.string(), details: v.string() });

const made = v.looseObject({ id: v.string() });

export type Made = v.InferOutput<typeof made>;

interface Options {
  readonly baseUrl: string;
  readonly projectId: string;
  readonly credentials: Record<string, string>;
  /** Returns once the asynchronous work of requests is done: generated codes, members of segments. */
  readonly settle: () => Promise<void>;
}

export class Api {
  readonly #options: Options;
  /** The number of requests so far. */
  requests = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  get projectId(): string {
    return this.#options.projectId;
  }

  settle(): Promise<void> {
    return this.#options.settle();
  }

  async send(method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown): Promise<unknown> {
    const { baseUrl, credentials } = this.#options;
    this.requests += 1;
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { ...credentials, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const reply: unknown = text === '' ? undefined : JSON.parse(text);
    if (response.ok) return reply;
    throw new Refused(`${method} ${path}`, response.status, v.parse(errorBody, reply));
  }

  /** Creates a resource that has an id. */
  async post(path: string, body: unknown = {}): Promise<Made> {
    return v.parse(made, await this.send('POST', path, body));
  }

  /** Creates several in their order. */
  async postAll(path: string, bodies: readonly unknown[]): Promise<Made[]> {
    return v.parse(v.array(made), await this.send('POST', path, bodies));
  }
}

/** Returns a path. Its parts may contain any character. */
export function path(parts: TemplateStringsArray, ...values: readonly unknown[]): string {
  return String.raw({ raw: parts }, ...values.map((value) => encodeURIComponent(String(value))));
}
