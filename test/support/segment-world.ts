import { runMessages } from '#kernel/kit/jobs/messages.ts';
import type { Key } from '#kernel/table/keys.ts';
import { createWorks } from '#registry.ts';
import { handler as createCustomer } from '../../functions/customers/create-customer.ts';
import { handler as deleteCustomer } from '../../functions/customers/delete-customer.ts';
import { handler as listActivities } from '../../functions/customers/list-customer-activities.ts';
import { handler as listOfCustomer } from '../../functions/customers/list-customer-segments.ts';
import { handler as createSegment } from '../../functions/segments/create-segment.ts';
import { handler as deleteSegment } from '../../functions/segments/delete-segment.ts';
import { caller } from './call.ts';
import { segmentMessages } from './changes.ts';
import { standingClock, testDependencies } from './dependencies.ts';
import { itemsOf, messagesFor, openJobs, recordOf } from './outbox.ts';
import type { TestProject } from './project.ts';

export const filter = { junction: 'and', 'metadata.roast': { conditions: { $is: ['dark'] } } };

/** Calls the operations of segments, and hands over changes as the stream does, as one project. */
export function world({ id, credentials: headers }: TestProject) {
  const clock = standingClock();
  const dependencies = testDependencies({ clock });
  const call = async (handler: Parameters<typeof caller>[0], request: object) => {
    clock.advance(1);
    return (await caller(handler, dependencies)({ headers, ...request })).body;
  };
  /** Hands these keys over as often as it says, all simultaneously. */
  const handOver = async (keys: readonly Key[], times = 1, own = dependencies) => {
    const messages = Array.from({ length: times }, () => messagesFor(keys)).flat();
    const { batchItemFailures } = await runMessages(messages, own, createWorks());
    return batchItemFailures.length;
  };
  const items = (kind: string) => itemsOf(id, kind, dependencies);
  return {
    dependencies,
    clock,
    handOver,
    items,
    create: (body: object) => call(createSegment, { body }),
    remove: (segmentId: string) => call(deleteSegment, { params: { segmentId } }),
    id,
    erase: (customerId: string) => call(deleteCustomer, { params: { customerId } }),
    customer: (body: object) => call(createCustomer, { body }),
    segmentsOf: async (customerId: string) => (await call(listOfCustomer, { params: { customerId } })).total,
    /** Returns the activities about segments, the earliest first. */
    told: async (customerId: string) => {
      const { data } = await call(listActivities, { params: { customerId }, query: 'order=created_at&limit=100' });
      return data
        .filter(({ type }: { type: string }) => type.startsWith('customer.segment.'))
        .map((one: { type: string; data: { data: { segment: { name: string } } } }) => [
          one.type.replace('customer.segment.', ''),
          one.data.data.segment.name,
        ]);
    },
    /** Returns the messages of the stream's worker for these items, as if they had just been written. */
    changed: async (kind: string) =>
      segmentMessages((await items(kind)).map((item) => recordOf(item))).map(({ key }) => key),
    jobs: (kind: string) => openJobs(id, dependencies).then((jobs) => jobs.filter((job) => job.kind === kind)),
  };
}

/** Makes customers with this metadata. */
export const people = (count: number, metadata: object) =>
  Array.from({ length: count }, (_, index) => ({ id: `cust_${index}`, source_id: `crm-${index}`, metadata }));
/** A segment of customers who like dark roasts. */
export const followed = { id: 'seg_dark', name: 'Dark', type: 'auto-update', filter };
