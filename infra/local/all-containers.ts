import type { ClientOptions } from '../../lib/http/composition.ts';

/**
 * Of the client of a process that stands for all containers of all functions. Its calls share one thread and one engine, so
 * each may wait behind hundreds: for as long as a function has, and none of them for a connection.
 */
export const allContainersAtOnce: ClientOptions = {
  connectionTimeoutInMs: 20_000,
  replyTimeoutInMs: 20_000,
  maxConnections: Number.POSITIVE_INFINITY,
};
