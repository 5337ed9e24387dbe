import { type DueReport, settleDueItems } from '#addons/upkeep/due.ts';
import type { AccountTargets } from '#addons/webhooks/account-targets.ts';
import type { Deliverer } from '#addons/webhooks/deliver.ts';
import { deliveriesTap } from '#addons/webhooks/events/deliveries-tap.ts';
import { eventFilters } from '#addons/webhooks/events/find-events.ts';
import type { TargetOptions } from '#addons/webhooks/target.ts';
import type { SendMail } from '#kernel/core/mail/mail.ts';
import { isMove } from '#kernel/kit/jobs/changes.ts';
import { combineFilters, jobsTap, segmentsTap, type Tap } from '#kernel/kit/jobs/dispatch.ts';
import { abandonJob } from '#kernel/kit/jobs/endings.ts';
import type { JobDependencies, Work, Works } from '#kernel/kit/jobs/run.ts';
import { type FilterPattern, replacedFences } from '#kernel/table/stream.ts';

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
      (await import('#addons/webhooks/fan-out/fan-out.ts')).fanOut(key, more, dependencies, baseUrl),
    deliver: async (key, more, dependencies) => {
      deliverer ??= import('#addons/webhooks/deliver.ts').then((loaded) => new loaded.Deliverer(targets, account));
      await (await deliverer).deliver(key, more, dependencies);
    },
    changed: async (key, dependencies) => {
      if (isMove(key)) return (await import('#addons/upkeep/tier-moves.ts')).followMove(key, dependencies);
      const [{ followChange }, { earnByEntering }] = await Promise.all([
        import('#engine/customers/segments/follow.ts'),
        import('#engine/loyalty/earning/entered-segment.ts'),
      ]);
      await followChange(key, dependencies, earnByEntering);
    },
    'generate-codes': loaded(async () => (await import('#engine/campaigns/generation/codes.ts')).generateCodes),
    'generate-chunk': loaded(async () => (await import('#engine/campaigns/generation/chunk.ts')).generateChunk),
    'send-invitation': loaded(async () =>
      (await import('#addons/admin/management/send-invitation.ts')).sendInvitations(sendMail),
    ),
    'finish-update': loaded(async () => (await import('#engine/campaigns/update-campaign.ts')).finishUpdate),
    'delete-children': loaded(async () => (await import('#addons/upkeep/deletions.ts')).deletions),
    'hold-vouchers': loaded(async () => (await import('#engine/publishing/hold-later.ts')).holdVouchers),
    'write-behind': loaded(async () => (await import('#engine/checkout/redemptions/writes-behind.ts')).writeBehind),
    'delete-campaign': loaded(
      async () => (await import('#engine/publishing/campaign-deletion/work.ts')).deleteCampaignWork,
    ),
    'settle-members': loaded(async () => (await import('#engine/loyalty/programmes/settle-members.ts')).settleMembers),
    'count-redemptions': loaded(
      async () => (await import('#engine/checkout/redemptions/history-job.ts')).countRedemptions,
    ),
    'merge-customers': loaded(async () => (await import('#addons/upkeep/merging/work.ts')).mergeCustomers),
    bulk: loaded(async () => (await import('#addons/files/bulk-rows.ts')).bulkRows),
    export: loaded(async () => (await import('#addons/files/exports.ts')).writeExports),
    'close-points': loaded(async () => (await import('#addons/reports/closes/work.ts')).closePoints),
    'make-report': loaded(async () => (await import('#addons/reports/report-work.ts')).makeReportFiles),
    'erase-person': loaded(async () => (await import('#addons/upkeep/erasure/work.ts')).erasePerson),
    'remove-old': loaded(async () => (await import('#addons/upkeep/retention/work.ts')).removeOld),
    'delete-project': loaded(
      async () => (await import('#addons/admin/management/project-deletion.ts')).deleteProjectWork,
    ),
    'sync-segment': loaded(async () => (await import('#engine/customers/segments/jobs.ts')).syncSegment),
    'delete-segment': loaded(async () => (await import('#engine/customers/segments/jobs.ts')).deleteSegmentMembers),
  };
}

/** Lists the purposes for which the stream is read. */
export const taps: readonly Tap[] = [jobsTap, segmentsTap, deliveriesTap];

/** Passes the records of all taps, and of events (`lib/addons/webhooks/events/hand-over.ts`). */
export const recordFilters: readonly FilterPattern[] = combineFilters([
  ...taps,
  { filters: [...eventFilters, replacedFences] },
]);

/** Settles due items, and sweeps the work of this list. */
export function settleDue(dependencies: JobDependencies, isTimeUp?: () => boolean): Promise<DueReport> {
  return settleDueItems(dependencies, createWorks(), isTimeUp);
}
