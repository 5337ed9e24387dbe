import { keyText, stripKey } from '#kernel/table/keys.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { type Consumer, consume, consumer, type ItemChange } from '#kernel/table/stream.ts';
import { segmentsConsumer } from './changes.ts';
import { isJobKind, queueOfKind } from './job.ts';
import type { Message, QueueName, Queues } from './queues.ts';

type Addressed = readonly [QueueName, Message];

/**
 * Derives messages for queues from changes. DynamoDB allows two readers of a stream, and one counts lists. All other purposes share the
 * second reader. A new purpose is a tap in `lib/registry.ts` with its own queue, and needs no reader.
 */
export interface Tap extends Consumer<Addressed> {
  /** Sends one message for all changes of a batch that lead to the same key. */
  readonly once?: boolean;
}

/** Hands over new jobs and resumed jobs. */
export const jobsTap: Tap = consumer<Addressed>('jobs', {
  [kinds.job]: ({ key, before, after }) => {
    const isDue = !before || (before.state === 'FAILED' && after?.state === 'OPEN');
    const kind = after?.kind ?? '';
    return isDue && isJobKind(kind) ? [[queueOfKind[kind], { key: stripKey(key) }]] : [];
  },
});

/** Passes on changes that may make a customer enter a segment. */
export const segmentsTap: Tap = {
  ...segmentsConsumer,
  read: (change) => segmentsConsumer.read(change).map((key) => ['segments', { key }] as const),
  once: true,
};

function read(tap: Tap, changes: readonly ItemChange[]): readonly Addressed[] {
  const messages = consume(tap, changes);
  return tap.once ? [...new Map(messages.map((one) => [keyText(one[1].key), one])).values()] : messages;
}

/** Sends the work that changes ask for to its queues. Throws if a queue did not accept it. */
export async function dispatch(changes: readonly ItemChange[], queues: Queues, taps: readonly Tap[]): Promise<void> {
  const sent = Map.groupBy(
    taps.flatMap((tap) => read(tap, changes)),
    ([queue]) => queue,
  );
  for (const [queue, pairs] of sent) {
    await queues.send(
      queue,
      pairs.map(([, message]) => message),
    );
  }
}
