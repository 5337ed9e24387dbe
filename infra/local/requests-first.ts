import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { pause } from '#kernel/table/conflicts.ts';

/** The pause before each call of other work while requests run. An import then still does dozens of rows a second. */
const pauseInMs = 10;
/**
 * The calls of other work that may run in parallel with requests. Conflicting work gives up after seconds, so its calls
 * must not queue for long.
 */
const callsAtOnce = 2;

/**
 * Gives requests priority over other work of this process, because both share a thread and an engine. On AWS each has
 * its own. While requests run, few calls of other work run simultaneously, each after a pause.
 */
export class RequestsFirst {
  #requests = 0;
  #calls = 0;
  /** Resolves when no request runs any more, or when a call has ended. */
  #changed = Promise.withResolvers<void>();
  readonly #pause: () => Promise<void>;

  constructor(pauseBeforeCall: () => Promise<void> = () => pause(pauseInMs)) {
    this.#pause = pauseBeforeCall;
  }

  /** Runs a request. */
  async run<T>(request: () => Promise<T>): Promise<T> {
    this.#requests += 1;
    try {
      return await request();
    } finally {
      this.#requests -= 1;
      if (this.#requests === 0) this.#tell();
    }
  }

  /** Makes a call of other work. */
  async behind<T>(call: () => Promise<T>): Promise<T> {
    while (this.#requests > 0 && this.#calls >= callsAtOnce) await this.#changed.promise;
    if (this.#requests === 0) return call();
    this.#calls += 1;
    try {
      await this.#pauseUnlessQuiet();
      return await call();
    } finally {
      this.#calls -= 1;
      this.#tell();
    }
  }

  async #pauseUnlessQuiet(): Promise<void> {
    const paused = this.#pause().then(() => true);
    let isPaused = false;
    while (!isPaused && this.#requests > 0) {
      isPaused = await Promise.race([paused, this.#changed.promise.then(() => false)]);
    }
  }

  #tell(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  /** Makes all calls of a client yield to requests. */
  putBehind(client: DynamoDBClient): DynamoDBClient {
    client.middlewareStack.add((next) => (args) => this.behind(() => next(args)), {
      step: 'initialize',
      priority: 'high',
    });
    return client;
  }
}
