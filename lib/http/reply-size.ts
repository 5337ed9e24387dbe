import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { ServiceError } from '../core/errors.ts';
import type { Route } from './route.ts';

/** Lambda replies with 6 MB: JSON, in which a body is a text with its quotes escaped. */
export const maxReplyBytes = 6_000_000;

/** A page of long items may exceed a reply; the caller can ask for a shorter one. */
export function pageTooLong(): ServiceError {
  return new ServiceError('invalid_query_params', {
    details: `limit must be smaller: the page is longer than the ${maxReplyBytes} bytes that a reply has`,
  });
}

function replyTooLong(advice: string): ServiceError {
  return new ServiceError('invalid_payload', {
    details: `the reply would be longer than the ${maxReplyBytes} bytes that a reply has: ${advice}`,
  });
}

/** Two quotes, each behind a backslash. */
const quoteBytes = 4;
const escapedInJson = /["\\\p{Cc}\p{Cs}]/u;

function textBytes(text: string): number {
  if (!escapedInJson.test(text)) return Buffer.byteLength(text) + quoteBytes;
  return Buffer.byteLength(JSON.stringify(JSON.stringify(text))) - 2;
}

/** Bytes of a part of a reply as Lambda sends it. Stops counting beyond `most`: what is far too long is not walked through. */
function bytesOf(value: unknown, most: number): number {
  if (typeof value === 'string') return textBytes(value);
  if (typeof value !== 'object' || value === null) return String(value).length;
  let bytes = 2;
  if (Array.isArray(value)) {
    for (const inner of value) {
      bytes += bytesOf(inner, most - bytes) + 1;
      if (bytes > most) break;
    }
    return bytes;
  }
  for (const [name, inner] of Object.entries(value)) {
    if (inner === undefined) continue;
    bytes += textBytes(name) + bytesOf(inner, most - bytes) + 2;
    if (bytes > most) break;
  }
  return bytes;
}

/** Whether a reply has room for it. */
export function fitsReply(value: unknown): boolean {
  return bytesOf(value, maxReplyBytes) <= maxReplyBytes;
}

/** The room of a reply while it is made up of parts that a caller chose the number of. */
export class ReplyRoom {
  #left = maxReplyBytes;
  readonly #advice: string;

  /** `advice`: what the caller may leave out. */
  constructor(advice = 'ask for less at once') {
    this.#advice = advice;
  }

  /** The part, where there is room for it: 400 otherwise, before more of them are made. */
  take<T>(part: T): T {
    if (!this.holds(part)) throw replyTooLong(this.#advice);
    return part;
  }

  /** Whether there is room for the part, which is taken then. */
  holds(part: unknown): boolean {
    const bytes = bytesOf(part, this.#left);
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }
}

/** Returns the first of them that a reply has room for, of what nobody can ask for in pages. */
export function firstThatFit<T>(all: readonly T[]): T[] {
  const room = new ReplyRoom();
  const end = all.findIndex((one) => !room.holds(one));
  return end === -1 ? [...all] : all.slice(0, end);
}

/** A character takes six bytes there at most. */
const surelyFits = maxReplyBytes / 6;

/** An operation that writes looks at its reply before it commits: a 400 after that would say that nothing was done. */
export function checkSize(route: Route, { body = '' }: APIGatewayProxyStructuredResultV2): void {
  if (body.length < surelyFits) return;
  if (Buffer.byteLength(JSON.stringify(body)) <= maxReplyBytes) return;
  const isOnlyRead = route.method === 'GET' || route.access !== 'write';
  if (route.query !== undefined && isOnlyRead) throw pageTooLong();
  if (route.body !== undefined && isOnlyRead) throw replyTooLong('ask for less at once');
  throw new Error(`a reply has more than ${maxReplyBytes} bytes, and its operation did not see that ahead`);
}
