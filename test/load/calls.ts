import * as v from 'valibot';
import { anyOf } from './dice.ts';
import type { Call } from './round.ts';
import { headersOf, tills } from './shop.ts';

const refusalReply = v.pipe(v.string(), v.parseJson(), v.object({ key: v.string() }));

export const json = (body: unknown) => JSON.stringify(body);

/** Makes a till's call. A body is JSON. */
export function byTill(operation: string, method: Call['method'], path: string, more: Partial<Call> = {}): Call {
  const headers = {
    ...headersOf(anyOf(tills)),
    ...(more.body === undefined ? {} : { 'Content-Type': 'application/json' }),
  };
  return { operation, method, path, status: 200, ...more, headers: { ...headers, ...more.headers } };
}

export const read = (operation: string, path: string): Call => byTill(operation, 'GET', path);

function refusedWith(expected: string): NonNullable<Call['settle']> {
  return (body) => {
    const { key } = v.parse(refusalReply, body);
    return key === expected ? undefined : `${key} instead of ${expected}`;
  };
}

export function refused(status: number, key: string, call: Call): Call {
  return { ...call, operation: `refused: ${key}`, status, settle: refusedWith(key) };
}

export const form = (operation: string, path: string, fields: Record<string, string>, settle?: Call['settle']): Call =>
  byTill(operation, 'POST', path, {
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
    ...(settle ? { settle } : {}),
  });
