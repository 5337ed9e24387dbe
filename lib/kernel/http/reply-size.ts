import { ServiceError } from '#kernel/core/errors.ts';

/** Lambda replies with at most 6 MB of JSON, in which the body is a text with escaped quotes. */
export const maxReplyBytes = 6_000_000;

/** Makes the error of a page whose items are too long for a reply. The caller can ask for a shorter page. */
export function pageTooLong(): ServiceError {
  return new ServiceError('invalid_query_params', {
    details: `limit must be smaller: the page is longer than the ${maxReplyBytes} bytes that a reply can have`,
  });
}

export function replyTooLong(advice: string): ServiceError {
  return new ServiceError('invalid_payload', {
    details: `the reply would be longer than the ${maxReplyBytes} bytes that a reply can have: ${advice}`,
  });
}

/** Two quotes, each with a backslash before it. */
const quoteBytes = 4;
const escapedInJson = /["\\\p{Cc}\p{Cs}]/u;

function textBytes(text: string): number {
  if (!escapedInJson.test(text)) return Buffer.byteLength(text) + quoteBytes;
  return Buffer.byteLength(JSON.stringify(JSON.stringify(text))) - 2;
}

/** Counts the bytes of a part of a reply as Lambda sends it. Stops beyond `most`, because the rest does not matter. */
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

/** Returns whether a reply has room for the value. */
export function canFitReply(value: unknown): boolean {
  return bytesOf(value, maxReplyBytes) <= maxReplyBytes;
}

/** Tracks the room of a reply that grows by parts whose number the caller chooses. */
export class ReplyRoom {
  #left = maxReplyBytes;
  readonly #advice: string;

  /** Begins an empty reply. `advice` names what the caller can leave out. */
  constructor(advice = 'request fewer objects in one call') {
    this.#advice = advice;
  }

  /** Returns the part if the reply has room for it. Throws a 400 otherwise, before more parts are made. */
  take<T>(part: T): T {
    if (!this.holds(part)) throw replyTooLong(this.#advice);
    return part;
  }

  /** Adds the part if the reply has room for it. Returns whether it did. */
  holds(part: unknown): boolean {
    const bytes = bytesOf(part, this.#left);
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }
}

/** Returns the first parts for which a reply has room, of a list that has no pages. */
export function takeFitting<T>(all: readonly T[]): T[] {
  const room = new ReplyRoom();
  const end = all.findIndex((one) => !room.holds(one));
  return end === -1 ? [...all] : all.slice(0, end);
}
