import type { StreamPart } from '#kernel/kit/add-on.ts';
import { deliveriesTap } from './events/deliveries-tap.ts';
import { eventsConsumer } from './events/find-events.ts';
import { handOverEvents, webhookKeys } from './events/hand-over.ts';

/** Hands over events that webhooks ask for, and deliveries that operators ask for. */
export const webhooksStream: StreamPart = {
  taps: [deliveriesTap],
  consumers: [eventsConsumer],
  handOver: handOverEvents,
  keys: [webhookKeys],
};
