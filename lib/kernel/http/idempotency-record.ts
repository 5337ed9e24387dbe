import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { type ErrorKey, errorCatalogue, ServiceError } from '#kernel/core/errors.ts';
import { count } from '#kernel/core/schema.ts';
import type { Companion } from '#kernel/table/command.ts';
import { parseStored } from '#kernel/table/item.ts';
import type { Key } from '#kernel/table/keys.ts';
import { kind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import type { Table } from '#kernel/table/table.ts';
import { Update } from '#kernel/table/update.ts';
import type { Seal } from './seal.ts';

export const keptForInSeconds = 24 * 60 * 60;
/** A function runs 20 s at most. A holder that has not answered after this time is dead. */
export const leaseInSeconds = 30;
/** Stays below the 400 KB that DynamoDB allows for an item. */
export const maxOutcomeBytes = 350_000;

const outcome = v.union([
  v.object({
    reply: v.object({
      statusCode: v.optional(count),
      headers: v.optional(v.record(v.string(), v.union([v.string(), v.number(), v.boolean()]))),
      body: v.optional(v.string()),
    }),
  }),
  v.object({
    refusal: v.object({
      key: v.custom<ErrorKey>((key) => typeof key === 'string' && Object.hasOwn(errorCatalogue, key)),
      details: v.string(),
      text: v.optional(v.string()),
      resource: v.optional(v.object({ id: v.string(), type: v.string() })),
      headers: v.record(v.string(), v.string()),
    }),
  }),
]);

/** The answer to the first request. A refusal is stored as its error, because its body names the request. */
export type RequestOutcome = v.InferOutput<typeof outcome>;

const recordItem = v.object({
  /** The digest of the request that uses the key. */
  request: v.string(),
  /** The request that holds the key. It must not finish once another request has taken over. */
  holder: v.string(),
  lease_ends_at_ms: count,
  /** Is written with the effect. From then on the effect must not happen again. */
  took_effect: v.optional(v.literal(true)),
  /**
   * JSON as text, in which even half a surrogate pair survives. It is sealed with the caller's key, which is never
   * stored.
   */
  sealed: v.optional(v.instance(Uint8Array)),
  expiresAt: count,
});

/** Builds the key of a record from the app key and the digest of the caller's key, which may be any text. */
export const idempotencyRecords = kind<typeof recordItem, [caller: string, idempotencyKey: string]>(
  kinds.idempotencyKey,
  recordItem,
);

const keptOutcome = v.pipe(v.string(), v.parseJson(), outcome);

function inUse(details: string): ServiceError {
  return new ServiceError('idempotency_key_in_use', { details, headers: { 'Retry-After': '1' } });
}

function replyLost(): ServiceError {
  return new ServiceError('idempotency_reply_lost', {
    details: 'the request is not carried out again; read the resource to see what the request did',
  });
}

/** One use of an idempotency key, from its claim to the stored answer. */
export class IdempotencyRecord {
  readonly #table: Table;
  readonly #key: Key;
  readonly #now: Date;
  readonly #seal: Seal;
  readonly #holder = randomUUID();

  constructor(table: Table, key: Key, now: Date, seal: Seal) {
    this.#table = table;
    this.#key = key;
    this.#now = now;
    this.#seal = seal;
  }

  /**
   * Claims the key for this request, or returns the stored answer. The condition accepts the first request, a request
   * after a holder that died without effect, and a repeat of the same claim. The SDK repeats a call whose reply was
   * lost.
   */
  async claim(request: string): Promise<RequestOutcome | undefined> {
    const nowInMs = this.#now.getTime();
    const nowInSeconds = Math.floor(nowInMs / 1000);
    const claimed = await this.#table.change(this.#key, {
      set: 'SET #request = :request, #holder = :holder, #lease = :lease, #expires = :expires REMOVE #effect, #sealed',
      condition:
        'attribute_not_exists(#holder) OR #expires <= :now OR (attribute_not_exists(#effect) AND attribute_not_exists(#sealed) AND (#holder = :holder OR (#request = :request AND #lease <= :now_ms)))',
      names: {
        '#request': 'request',
        '#holder': 'holder',
        '#lease': 'lease_ends_at_ms',
        '#expires': 'expiresAt',
        '#effect': 'took_effect',
        '#sealed': 'sealed',
      },
      values: {
        ':request': request,
        ':holder': this.#holder,
        ':lease': nowInMs + leaseInSeconds * 1000,
        ':expires': nowInSeconds + keptForInSeconds,
        ':now': nowInSeconds,
        ':now_ms': nowInMs,
      },
    });
    if (claimed.done) return undefined;
    const found = parseStored(recordItem, claimed.item ?? {});
    if (found.request !== request) {
      throw new ServiceError('idempotency_key_reused', {
        details:
          'the key was used for a request with another method, path, query or body; a new request needs a new key',
      });
    }
    if (found.sealed) return v.parse(keptOutcome, this.#seal.open(found.sealed));
    if (found.lease_ends_at_ms > nowInMs) throw inUse('the first request with this key is still running');
    throw replyLost();
  }

  /** Adds itself to the effect's transaction, so that only the current holder commits, once. */
  get effect(): Companion {
    const change = this.#whileHeld().whenStill('took_effect', undefined).set(['took_effect'], true).build();
    return {
      write: { key: this.#key, change },
      tookEffect: (item) => item?.holder === this.#holder && item.took_effect === true,
      // An earlier attempt of this request may have taken effect although its reply was lost.
      refusal: (item) =>
        item?.holder === this.#holder
          ? replyLost()
          : inUse('another request with this key does the work now: send the request again for its reply'),
    };
  }

  /** Has no effect if another request has taken over the key. */
  async keep(given: RequestOutcome): Promise<void> {
    const text = JSON.stringify(given);
    const update =
      Buffer.byteLength(text) > maxOutcomeBytes
        ? this.#whileHeld().set(['took_effect'], true).set(['lease_ends_at_ms'], 0)
        : this.#whileHeld().set(['sealed'], this.#seal.close(text));
    await this.#table.change(this.#key, update.build());
  }

  /** Frees the key, or marks its reply as lost if the request took effect. */
  async release(): Promise<void> {
    const freed = await this.#table.remove(this.#key, this.#whileHeld().whenStill('took_effect', undefined).build());
    if (!freed) await this.#table.change(this.#key, this.#whileHeld().set(['lease_ends_at_ms'], 0).build());
  }

  #whileHeld(): Update<typeof recordItem> {
    return new Update<typeof recordItem>().whenStill('holder', this.#holder);
  }
}
