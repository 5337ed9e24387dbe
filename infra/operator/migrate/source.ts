import { isRecord } from '#kernel/core/is-record.ts';
import { readText, TooLarge } from '../read-text.ts';
import { type Clock, Pace } from './clock.ts';

/** Calls a service that speaks this interface, within its limits. */

export interface SourceSettings {
  /** The address without a path. */
  readonly url: string;
  readonly appId: string;
  readonly appToken: string;
  readonly callsPerMinute: number;
  readonly clock: Clock;
  /** Receives the reason for a repeated call, and its wait in milliseconds. */
  readonly onWait?: (why: string, ms: number) => void;
  /** Limits the bytes of a reply of JSON, because the whole reply is in memory. */
  readonly largestReply?: number;
}

/** The service has refused a call permanently. */
export class SourceRefusal extends Error {
  readonly status: number;
  readonly key: string;

  constructor(call: string, status: number, body: unknown) {
    const { key = '', details, message } = isRecord(body) ? body : {};
    super(`${call} is answered with ${status} ${String(details ?? message ?? key)}`.trim());
    this.status = status;
    this.key = String(key);
  }

  /** The credentials may not read this, or the service does not have it. */
  get isForbidden(): boolean {
    return [403, 404, 405, 501].includes(this.status);
  }
}

/** The service's answer cannot be used. Another attempt would get the same. */
export class SourceFault extends Error {}

/** The service has not answered for a while. Another run continues. */
export class SourceSilent extends Error {}

const second = 1_000;
const longestWait = 60 * second;
const attempts = 8;
/** A refusal for too many calls may come more often than a fault, because others use the same key. */
const refusals = 60;
const patience = 120 * second;
const usualLargestReply = 100_000_000;

/** Returns the wait that a 429 requests: seconds or a date. */
function readRetryAfter(headers: Headers, now: number): number | undefined {
  const text = headers.get('retry-after');
  if (text === null) return undefined;
  const ms = /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) * second : Date.parse(text) - now;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), 10 * longestWait);
}

function explain(error: unknown): string {
  const { cause } = error instanceof Error ? error : { cause: undefined };
  return cause instanceof Error ? cause.message || cause.name : error instanceof Error ? error.message : String(error);
}

/** Refuses to follow a redirect, because the other address would get the token. */
function refuseRedirect(call: string, { status, headers }: Response, url: string): void {
  const location = headers.get('location');
  if (status < 300 || status >= 400 || location === null) return;
  const place = URL.canParse(location, url) ? new URL(location, url).origin : 'another address';
  throw new SourceFault(`${call} leads to ${place}: give the address that answers itself as --from`);
}

function parseBody(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Answer<T> = { readonly value: T } | { readonly again: string; readonly after?: number | undefined };

export class Source {
  readonly #settings: SourceSettings;
  readonly #pace: Pace;
  /** Counts the calls without downloads. */
  calls = 0;

  constructor(settings: SourceSettings) {
    this.#settings = settings;
    this.#pace = new Pace(settings.callsPerMinute, settings.clock);
  }

  get url(): string {
    return this.#settings.url;
  }

  get clock(): Clock {
    return this.#settings.clock;
  }

  get(path: string): Promise<unknown> {
    return this.#send('GET', path);
  }

  post(path: string, body: unknown): Promise<unknown> {
    return this.#send('POST', path, body);
  }

  /** Gives the file at an address to `use`, and again from its beginning if the connection breaks. */
  async download<T>(address: string, use: (pieces: AsyncIterable<Uint8Array>) => Promise<T>): Promise<T> {
    if (!URL.canParse(address, this.#settings.url)) throw new SourceFault(`"${address}" is not the address of a file`);
    const url = new URL(address, this.#settings.url);
    return this.#repeat(`GET ${url.origin}${url.pathname}`, async () => {
      const response = await fetch(url, { signal: AbortSignal.timeout(30 * patience) });
      if (response.ok && response.body) return { value: await use(response.body) };
      await response.body?.cancel();
      return { again: `answered with ${response.status}` };
    });
  }

  async #send(method: 'GET' | 'POST', path: string, body?: unknown): Promise<unknown> {
    const { url, appId, appToken, clock, largestReply = usualLargestReply } = this.#settings;
    const call = `${method} ${path.split('?')[0]}`;
    const json = body === undefined ? {} : { body: JSON.stringify(body) };
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    return this.#repeat(call, async () => {
      await this.#pace.take();
      this.calls += 1;
      const response = await fetch(new URL(path, url), {
        method,
        headers: { accept: 'application/json', 'x-app-id': appId, 'x-app-token': appToken, ...type },
        ...json,
        redirect: 'manual',
        signal: AbortSignal.timeout(patience),
      });
      refuseRedirect(call, response, url);
      const received = parseBody(await readText(response, largestReply));
      if (response.ok && received !== undefined) return { value: received };
      if (response.status === 429) {
        return { again: 'too many calls', after: readRetryAfter(response.headers, clock.now()) ?? 10 * second };
      }
      if (response.ok) return { again: 'answered without JSON' };
      if (response.status >= 500) return { again: `answered with ${response.status}` };
      throw new SourceRefusal(call, response.status, received);
    });
  }

  /** Repeats after faults with growing waits, and after refusals for too many calls with the requested wait. */
  async #repeat<T>(call: string, attempt: () => Promise<Answer<T>>): Promise<T> {
    let faults = 0;
    let refused = 0;
    for (;;) {
      const answer = await attempt().catch((error: unknown): Answer<T> => {
        if (error instanceof TooLarge) throw new SourceFault(`${call}: ${error.message}`);
        if ([SourceRefusal, SourceFault, LocalFault].some((one) => error instanceof one)) throw error;
        return { again: explain(error) };
      });
      if ('value' in answer) return answer.value;
      if (answer.after === undefined) faults += 1;
      else refused += 1;
      if (faults === attempts || refused === refusals) throw new SourceSilent(`${call}: ${answer.again}`);
      const wait = answer.after ?? Math.min(2 ** (faults - 1) * second, longestWait);
      this.#settings.onWait?.(`${call}: ${answer.again}`, wait);
      await this.clock.wait(wait);
    }
  }
}

/** Something failed on this machine. Another call would not help. */
export class LocalFault extends Error {}
