import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { patience, type Reply, type Sent, type Service } from './service.ts';

/** Reports a reply that differs from the documented reply. The message names the first difference. */
export class Unexpected extends Error {}

/** Holds the names that a run gives to its objects, and the ids that the service returned. */
export interface Walk {
  readonly name: string;
  readonly ids: Map<string, string>;
}

export interface Calls {
  /** Sends one call. Throws `Unexpected` if the status differs. */
  readonly call: (route: string, status: number, sent?: Sent) => Promise<Reply>;
  /** Repeats the call for three minutes, with growing pauses, until `isDone` accepts the reply's body. */
  readonly until: (route: string, isDone: (body: unknown) => boolean) => Promise<Reply>;
}

export interface Step {
  /** Names the operation, as in the document. */
  readonly call: string;
  /** Names the part of the deployment that works if the call succeeds. */
  readonly proves: string;
  readonly run: (calls: Calls, walk: Walk) => Promise<void>;
}

export function step(call: string, proves: string, run: Step['run']): Step {
  return { call, proves, run };
}

/** Follows `path` ("data.0.id") into a reply's body. Returns `undefined` if the path ends early. */
export function readPath(body: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => {
    if (typeof value !== 'object' || value === null) return undefined;
    return Object.entries(value).find(([name]) => name === key)?.[1];
  }, body);
}

/** Reads a text of the reply. Throws `Unexpected` if the path leads to no text. */
export function readText({ body }: Reply, path: string): string {
  const value = readPath(body, path);
  if (typeof value === 'string') return value;
  throw new Unexpected(`${path} is ${JSON.stringify(value)} in the reply, not a text`);
}

/** Compares values of the reply, by their paths. Throws `Unexpected` for the first difference. */
export function expectValues({ body }: Reply, values: Readonly<Record<string, unknown>>): void {
  for (const [path, value] of Object.entries(values)) {
    const found = readPath(body, path);
    if (isDeepStrictEqual(found, value)) continue;
    throw new Unexpected(`${path} is ${JSON.stringify(found)} in the reply, not ${JSON.stringify(value)}`);
  }
}

/** Returns the value that an earlier step kept under this name. Throws `Unexpected` if that step failed. */
export function recallValue({ ids }: Walk, name: string): string {
  const id = ids.get(name);
  if (id !== undefined) return id;
  throw new Unexpected(`an earlier call has not created the ${name}`);
}

export function createCalls({ send }: Service): Calls {
  const call: Calls['call'] = async (route, status, sent) => {
    const reply = await send(route, sent);
    if (reply.status === status) return reply;
    const shown = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body);
    throw new Unexpected(`${route} answered ${reply.status}, not ${status}: ${shown.slice(0, 500)}`);
  };
  const until: Calls['until'] = async (route, isDone) => {
    const end = performance.now() + patience.workInMs;
    for (
      let betweenInMs: number = patience.firstInMs;
      ;
      betweenInMs = Math.min(2 * betweenInMs, patience.betweenInMs)
    ) {
      const reply = await call(route, 200);
      if (isDone(reply.body)) return reply;
      if (performance.now() > end) {
        const waited = patience.workInMs / 1_000;
        throw new Unexpected(`${route} was not done after ${waited} s: ${JSON.stringify(reply.body).slice(0, 500)}`);
      }
      await wait(betweenInMs);
    }
  };
  return { call, until };
}
