import type { ClientOptions } from '#kernel/http/composition.ts';

/**
 * Configures the client of a process that stands for all containers of all functions. Its calls share one thread and
 * one engine, so a call may wait behind hundreds. It may wait as long as a function may run, and never waits for a
 * connection.
 */
export const allContainersAtOnce: ClientOptions = {
  connectionTimeoutInMs: 20_000,
  replyTimeoutInMs: 20_000,
  maxConnections: Number.POSITIVE_INFINITY,
};
