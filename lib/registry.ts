import { type DueReport, settleDueItems } from './background/due.ts';
import type { SendMail } from './core/mail/mail.ts';
import { deliveriesTap } from './kit/events/deliveries-tap.ts';
import { eventFilters } from './kit/events/find-events.ts';
import { isMove } from './kit/jobs/changes.ts';
import { combineFilters, jobsTap, segmentsTap, type Tap } from './kit/jobs/dispatch.ts';
import { abandonJob } from './kit/jobs/endings.ts';
import type { JobDependencies, Work, Works } from './kit/jobs/run.ts';
import type { AccountTargets } from './publishing/webhooks/account-targets.ts';
import type { Deliverer } from './publishing/webhooks/deliver.ts';
import type { TargetOptions } from './publishing/webhooks/target.ts';
import { type FilterPattern, replacedFences } from './table/stream.ts';

/** Loads the work with the first job of its kind, so that other workers do not load it. */
function loaded(load: () => Promise<Work>): Work {
  return {
    run: async (context, job) => (await load()).run(context, job),
    giveUp: async (context, job) => ((await load()).giveUp ?? abandonJob)(context, job),
  };
}

interface Outside {
  /** Without it no mail is sent. */
  readonly sendMail?: SendMail | undefined;
  /** The address of this API, for the objects in payloads of events. */
  readonly baseUrl?: string | undefined;
  readonly targets?: TargetOptions;
  /** Sends events to queues and buses of the account. */
  readonly account?: AccountTargets | undefined;
}

/** Lists the work outside of requests. */
export function createWorks({ sendMail, baseUrl = '', targets = {}, account = {} }: Outside = {}): Works {
  let deliverer: Promise<Deliverer> | undefined;
  return {
    happened: async (key, more, dependencies) =>
      (await import('./background/events/fan-out.ts')).fanOut(key, more, dependencies, baseUrl),
    deliver: async (key, more, dependencies) => {
      deliverer ??= import('./publishing/webhooks/deliver.ts').then((loaded) => new loaded.Deliverer(targets, account));
      await (await deliverer).deliver(key, more, dependencies);
    },
    changed: async (key, dependencies) => {
      if (isMove(key)) return (await import('./background/tier-moves.ts')).followMove(key, dependencies);
      const [{ followChange }, { earnByEntering }] = await Promise.all([
        import('./customers/segments/follow.ts'),
        import('./loyalty/earning/entered-segment.ts'),
      ]);
      await followChange(key, dependencies, earnByEntering);
    },
    'generate-codes': loaded(async () => (await import('./campaigns/generation/codes.ts')).generateCodes),
    'generate-chunk': loaded(async () => (await import('./campaigns/generation/chunk.ts')).generateChunk),
    'send-invitation': loaded(async () =>
      (await import('./operator/management/send-invitation.ts')).sendInvitations(sendMail),
    ),
    'finish-update': loaded(async () => (await import('./campaigns/update-campaign.ts')).finishUpdate),
    'delete-children': loaded(async () => (await import('./background/deletions.ts')).deletions),
    'hold-vouchers': loaded(async () => (await import('./publishing/hold-later.ts')).holdVouchers),
    'write-behind': loaded(async () => (await import('./checkout/redemptions/writes-behind.ts')).writeBehind),
    'delete-campaign': loaded(async () => (await import('./publishing/campaign-deletion/work.ts')).deleteCampaignWork),
    'settle-members': loaded(async () => (await import('./loyalty/programmes/settle-members.ts')).settleMembers),
    'count-redemptions': loaded(async () => (await import('./checkout/redemptions/history-job.ts')).countRedemptions),
    'merge-customers': loaded(async () => (await import('./background/merging/work.ts')).mergeCustomers),
    bulk: loaded(async () => (await import('./background/bulk-rows.ts')).bulkRows),
    export: loaded(async () => (await import('./background/exports.ts')).writeExports),
    'close-points': loaded(async () => (await import('./loyalty/closes/work.ts')).closePoints),
    'make-report': loaded(async () => (await import('./background/reports/report-work.ts')).makeReportFiles),
    'erase-person': loaded(async () => (await import('./background/erasure/work.ts')).erasePerson),
    'remove-old': loaded(async () => (await import('./background/retention/work.ts')).removeOld),
    'delete-project': loaded(async () => (await import('./operator/management/project-deletion.ts')).deleteProjectWork),
    'sync-segment': loaded(async () => (await import('./customers/segments/jobs.ts')).syncSegment),
    'delete-segment': loaded(async () => (await import('./customers/segments/jobs.ts')).deleteSegmentMembers),
  };
}

/** Lists the purposes for which the stream is read. */
export const taps: readonly Tap[] = [jobsTap, segmentsTap, deliveriesTap];

/** Passes the records of all taps, and of events (`lib/kit/events/hand-over.ts`). */
export const recordFilters: readonly FilterPattern[] = combineFilters([
  ...taps,
  { filters: [...eventFilters, replacedFences] },
]);

/** Settles due items, and sweeps the work of this list. */
export function settleDue(dependencies: JobDependencies, isTimeUp?: () => boolean): Promise<DueReport> {
  return settleDueItems(dependencies, createWorks(), isTimeUp);
}
