import { addOn } from '#kernel/kit/add-on.ts';
import type { JobDependencies, Works } from '#kernel/kit/jobs/run.ts';
import type { AccountTargets } from './account-targets.ts';
import type { Deliverer } from './deliver.ts';
import type { TargetOptions } from './target.ts';

interface Outside {
  /** The address of this API, for the objects in payloads of events. */
  readonly baseUrl?: string | undefined;
  readonly targets?: TargetOptions;
  /** Sends events to queues and buses of the account. */
  readonly account?: AccountTargets | undefined;
}

function jobs({ baseUrl = '', targets = {}, account = {} }: Outside): Pick<Works, 'happened' | 'deliver'> {
  let deliverer: Promise<Deliverer> | undefined;
  return {
    happened: async (key, more, dependencies) =>
      (await import('./fan-out/fan-out.ts')).fanOut(key, more, dependencies, baseUrl),
    deliver: async (key, more, dependencies) => {
      deliverer ??= import('./deliver.ts').then((loaded) => new loaded.Deliverer(targets, account));
      await (await deliverer).deliver(key, more, dependencies);
    },
  };
}

/** Events, webhooks and their deliveries. */
export const webhooksAddOn = addOn({
  name: 'webhooks',
  operations: ['/management/v1/projects/{projectId}/webhooks', '/management/v1/projects/{projectId}/webhook-secret'],
  jobs,
  readsStream: true,
  eachMinute: async (dependencies: JobDependencies, isTimeUp?: () => boolean) =>
    (await import('./sweep-deliveries.ts')).sweepDeliveries(dependencies, isTimeUp),
  stack: { queues: ['events', 'webhooks'], files: { events: ['put events'], webhooks: ['read events'] } },
  options: ['event-targets'],
});
