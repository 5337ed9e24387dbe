import { randomInt, randomUUID } from 'node:crypto';
import * as v from 'valibot';
import type { Write } from './command.ts';
import { type Again, again, isOutOfCapacity, isTransactionConflict, pause } from './conflicts.ts';
import type { Connection } from './connection.ts';
import { type Key, keyText, readProjectId, stripKey, tableShape } from './keys.ts';
import { itemMarks, kind } from './kind.ts';
import { kinds } from './kind-names.ts';
import { Update } from './update.ts';
import { changeStored, putStored, removeStored } from './writes.ts';

/**
 * Serialises requests that conflict on an item with few writers, such as a card. After a conflict they run one after
 * another: first within a container, then one of each container. A turn only prevents useless attempts. Every write
 * stays conditional.
 */

const turnItem = v.object({ holder: v.string(), expiresAt: v.number() });

const turns = kind<typeof turnItem, [of: string]>(kinds.turn, turnItem);

/** Only these kinds have turns. Shared codes and counters have holds (`lib/kernel/http/holds`), or too many callers. */
const queued: readonly string[] = [kinds.voucher];
/** Limits the items with turns. A transaction rarely conflicts with others on more items. */
const maxTurns = 4;
/** A turn lapses after this time, because its container is dead or very slow. */
const longestTurnInMs = 2_000;
const longestPauseInMs = 400;
const keptForInS = 60;

type Release = () => void;

/** The end of the queue at each item, by the container's client of the table. */
const queues = new WeakMap<object, Map<string, Promise<void>>>();

/** Waits for the earlier requests of this container. Returns `undefined` when the time is up. */
async function enter({ client, tableName }: Connection, key: Key, deadline: number): Promise<Release | undefined> {
  const own = queues.get(client) ?? new Map<string, Promise<void>>();
  queues.set(client, own);
  const name = `${tableName}\n${keyText(key)}`;
  const before = own.get(name) ?? Promise.resolve();
  let release: Release = () => {};
  const isOver = new Promise<void>((resolve) => {
    release = resolve;
  });
  const end = before.then(() => isOver);
  own.set(name, end);
  end.then(() => {
    if (own.get(name) === end) own.delete(name);
  });
  const timeUp = new AbortController();
  const isMyTurn = await Promise.race([before.then(() => true), waits(deadline, timeUp.signal)]);
  timeUp.abort();
  if (!isMyTurn) release();
  return isMyTurn ? release : undefined;
}

/** Resolves after the time or with the signal, so that no timer remains. */
function waits(deadline: number, signal: AbortSignal): Promise<false> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), Math.max(0, deadline - performance.now()));
    signal.addEventListener('abort', () => clearTimeout(timer));
  });
}

/** Acquires the turn among containers. Returns whether it succeeded. Also acquires a lapsed turn. */
async function take(connection: Connection, key: Key, holder: string, deadline: number): Promise<boolean> {
  const turn = turns(readProjectId(key), keyText(key));
  const expiresAt = connection.expiringIn(keptForInS);
  let seen: { readonly holder: unknown; readonly since: number } | undefined;
  for (let round = 0; performance.now() < deadline; round++) {
    const taking = await putStored(connection, turn, { ...itemMarks(turn), holder, expiresAt });
    if (taking.done) return true;
    const other = taking.refused[0]?.item?.holder;
    if (other !== seen?.holder) seen = { holder: other, since: performance.now() };
    const isTooLong = seen !== undefined && performance.now() - seen.since > longestTurnInMs;
    if (isTooLong && other !== undefined) {
      const takeover = Update.of(turn).whenStill('holder', other).set(['holder'], holder);
      takeover.set([tableShape.timeToLive], expiresAt);
      if ((await changeStored(connection, turn, takeover.build())).done) return true;
    }
    await pause(randomInt(1, Math.min(longestPauseInMs, 25 * 2 ** Math.min(round, 5))));
  }
  return false;
}

/** Gives the turn back. Never fails: the attempt is over, and a turn that remains lapses. */
async function leave(connection: Connection, key: Key, holder: string): Promise<void> {
  const turn = turns(readProjectId(key), keyText(key));
  const { set: _, ...isMine } = Update.of(turn).whenStill('holder', holder).build();
  await removeStored(connection, turn, isMine).catch(() => undefined);
}

/** Continues without a turn if the table is busy. */
async function unlessBusy<R>(turn: Promise<R>): Promise<R | undefined> {
  try {
    return await turn;
  } catch (error) {
    if (isOutOfCapacity(error)) return undefined;
    throw error;
  }
}

/** Tracks the items on which a faster request refused this request, and its turns on them. */
export class Turns {
  readonly #connection: Connection;
  readonly #contended = new Map<string, Key>();
  #isHeld = false;
  #mayQueue = false;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Notes an item that another request changed first. */
  note(key: Key): void {
    if (queued.includes(key.sk)) this.#contended.set(keyText(key), stripKey(key));
  }

  /**
   * Returns whether a transaction that conflicted with another would fail again. Most conflict on a card, which the
   * other transaction changes. The next attempt reads the card again, in its turn.
   */
  isInVain(error: unknown, writes: readonly Write[]): boolean {
    if (!this.#mayQueue || this.#isHeld || !isTransactionConflict(error)) return false;
    for (const write of writes) if ('change' in write) this.note(write.key);
    return this.isNeeded;
  }

  get isNeeded(): boolean {
    return this.#contended.size > 0 && !this.#isHeld;
  }

  /**
   * Runs the first attempt without a turn, and later attempts in their turn. A nested attempt shares the turns of the
   * outer attempt.
   */
  async run<R>(deadline: number, attempt: () => Promise<R>): Promise<R | Again> {
    if (this.isNeeded) return this.#during(deadline, attempt);
    if (this.#isHeld || this.#mayQueue) return attempt();
    this.#mayQueue = true;
    try {
      return await attempt();
    } finally {
      this.#mayQueue = false;
    }
  }

  /**
   * Runs the attempt while it holds all turns. All requests acquire turns in the same order, so that no deadlock
   * occurs.
   */
  async #during<R>(deadline: number, attempt: () => Promise<R>): Promise<R | Again> {
    const holder = randomUUID();
    const keys = [...this.#contended].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, key]) => key);
    const releases: (() => Promise<void>)[] = [];
    this.#isHeld = true;
    try {
      for (const key of keys.slice(0, maxTurns)) {
        const release = await enter(this.#connection, key, deadline);
        if (!release) return again;
        releases.push(async () => release());
        if (await unlessBusy(take(this.#connection, key, holder, deadline))) {
          releases.push(async () => {
            await leave(this.#connection, key, holder);
          });
        }
      }
      return await attempt();
    } finally {
      this.#isHeld = false;
      for (const release of releases.reverse()) await release();
    }
  }
}
