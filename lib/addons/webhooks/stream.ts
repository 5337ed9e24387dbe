import type { StreamPart } from '#kernel/kit/add-on.ts';
import { deliveriesTap } from './events/deliveries-tap.ts';
import { eventsConsumer } from './events/find-events.ts';
import { handOverEvents, webhookKeys } from './events/hand-over.ts';

/** Passes on events that webhooks have chosen, and deliveries that operators request. */
export const webhooksStream: StreamPart = {
  taps: [deliveriesTap],
  consumers: [eventsConsumer],
  handOver: handOverEvents,
  keys: [webhookKeys],
};
