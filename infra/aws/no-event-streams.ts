/**
 * Stands in for `@smithy/core/event-streams` in the bundles. No command that is sent here uses event streams. The SDK
 * imports it dynamically, so every function would otherwise have code that loads on demand.
 */
export class EventStreamSerde {
  constructor() {
    throw new Error('bundles have no event streams');
  }
}

export function eventStreamSerdeProvider(): never {
  throw new Error('bundles have no event streams');
}

/** The client of files reads this when it is created. */
export function resolveEventStreamSerdeConfig<C>(config: C): C {
  return config;
}
