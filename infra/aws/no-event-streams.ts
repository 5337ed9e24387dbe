/**
 * Stands in for `@smithy/core/event-streams` in the bundles, of which no command that is sent here makes use. The SDK imports it
 * dynamically, which would make every function one with code that is loaded on demand.
 */
export class EventStreamSerde {
  constructor() {
    throw new Error('bundles have no event streams');
  }
}

export function eventStreamSerdeProvider(): never {
  throw new Error('bundles have no event streams');
}

/** The client of files asks for it when it is made. */
export function resolveEventStreamSerdeConfig<C>(config: C): C {
  return config;
}
