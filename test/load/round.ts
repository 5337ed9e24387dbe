import autocannon from 'autocannon';
import type { Recorder } from './recorder.ts';

/** One call, and what has to come of it. */
export interface Call {
  /** By which the tables name it. */
  operation: string;
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
  /** Any other is an error. */
  status: number;
  /** Looks at a reply of that status; what is wrong with it, in words. */
  settle?: (body: string, headers: Readonly<Record<string, unknown>>) => string | undefined;
}

interface RoundOptions {
  baseUrl: string;
  connections: number;
  seconds: number;
  draw: () => Call;
  recorder: Recorder;
}

/** Longer than a request may take: what has no answer by then has none. */
const timeoutInSeconds = 30;
const enoughErrors = 1_000;
/** How soon the generator notices that it is to end. */
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
 * Keeps the connections busy for so long, each with one call at a time, drawn when the one before is answered. It returns
 * when all of them are answered; one that never is counts as an error, as does every answer with another status.
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
        // It cuts what is under way at its end: it is told to stop before, when nothing is.
        duration: seconds + 2 * timeoutInSeconds,
        timeout: timeoutInSeconds,
        sampleInt: noticeInMs,
        // A server that is gone refuses connections as fast as they are made.
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
    // Told right after `onResponse` of the same answer.
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
