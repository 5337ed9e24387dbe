import autocannon from 'autocannon';
import type { Recorder } from './recorder.ts';

/** One call, and its expected result. */
export interface Call {
  /** The name in the tables. */
  operation: string;
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
  /** Any other status is an error. */
  status: number;
  /** Checks a reply of that status. Returns its fault in words. */
  settle?: (body: string, headers: Readonly<Record<string, unknown>>) => string | undefined;
}

interface RoundOptions {
  baseUrl: string;
  connections: number;
  seconds: number;
  draw: () => Call;
  recorder: Recorder;
}

/** It exceeds the time of a request: a call without an answer by then gets none. */
const timeoutInSeconds = 30;
const enoughErrors = 1_000;
/** The time until the generator notices its end. */
const noticeInMs = 50;
const shownOfBody = 300;

function faultOf(
  { status: expected, settle }: Call,
  status: number,
  body: string,
  headers: object,
): string | undefined {
  if (status !== expected) return `${status} instead of ${expected}: ${body.slice(0, shownOfBody)}`;
  return settle?.(
    body,
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  );
}

/**
 * Keeps the connections busy for this time. Each draws its next call when the previous call is answered. Returns when
 * all calls are answered. A missing answer counts as an error, and so does another status.
 */
export function runRound({ baseUrl, connections, seconds, draw, recorder }: RoundOptions): Promise<void> {
  const underWay = new Map<object, Call>();
  let answered: { operation: string; fault: string | undefined } | undefined;
  let isEnding = false;
  const startedAt = performance.now();
  let lastAnswerAt = startedAt;

  return new Promise((resolve, reject) => {
    const endIfDone = () => {
      if (isEnding && underWay.size === 0) load.stop();
    };
    const load = autocannon(
      {
        url: baseUrl,
        connections,
        // The generator cuts open calls at its end, so it is stopped earlier, when none is open.
        duration: seconds + 2 * timeoutInSeconds,
        timeout: timeoutInSeconds,
        sampleInt: noticeInMs,
        // A dead server refuses each new connection immediately.
        bailout: enoughErrors,
        requests: [
          {
            // `context` is another object for each call.
            setupRequest: (request, context) => {
              if (isEnding) return { ...request, method: 'GET', path: '/healthz', headers: {} };
              const call = draw();
              underWay.set(context, call);
              const { method, path, headers, body } = call;
              return { ...request, method, path, headers: { ...headers }, ...(body === undefined ? {} : { body }) };
            },
            onResponse: (status, body, context, headers) => {
              const call = underWay.get(context);
              underWay.delete(context);
              answered = call && { operation: call.operation, fault: faultOf(call, status, body, headers ?? {}) };
            },
          },
        ],
      },
      (error) => {
        clearTimeout(timer);
        clearTimeout(deadline);
        recorder.seconds = (lastAnswerAt - startedAt) / 1000;
        for (const { operation } of underWay.values()) recorder.failed(operation, 'no answer');
        if (error) reject(error);
        else resolve();
      },
    );
    // It runs right after `onResponse` of the same answer.
    load.on('response', (_client, _status, _bytes, milliseconds) => {
      if (!answered) return;
      lastAnswerAt = performance.now();
      recorder.answered(answered.operation, milliseconds, answered.fault);
      answered = undefined;
      endIfDone();
    });
    load.on('reqError', (error) => recorder.failed('connection', String(error)));
    const timer = setTimeout(() => {
      isEnding = true;
      endIfDone();
    }, seconds * 1000);
    const deadline = setTimeout(() => load.stop(), (seconds + timeoutInSeconds) * 1000);
  });
}
