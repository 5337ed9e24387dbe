import type { ClientOptions } from '#kernel/http/composition.ts';

/**
 * Configures the client of a process that replaces all containers of all functions. Its calls share a single thread and
 * engine, so a call may wait for hundreds of others. It may wait as long as a function may run, and never waits for a
 * connection.
 */
export const allContainersAtOnce: ClientOptions = {
  connectionTimeoutInMs: 20_000,
  replyTimeoutInMs: 20_000,
  maxConnections: Number.POSITIVE_INFINITY,
};
