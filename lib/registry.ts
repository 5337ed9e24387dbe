import { adminAddOn } from '#addons/admin/add-on.ts';
import { filesAddOn } from '#addons/files/add-on.ts';
import { reportsAddOn } from '#addons/reports/add-on.ts';
import { factsConsumer } from '#addons/reports/facts/find-facts.ts';
import { upkeepAddOn } from '#addons/upkeep/add-on.ts';
import { webhooksAddOn } from '#addons/webhooks/add-on.ts';
import { webhooksStream } from '#addons/webhooks/stream.ts';
import { figuresConsumer } from '#engine/campaigns/count-records.ts';
import { lazyWork, type StreamPart } from '#kernel/kit/add-on.ts';
import { dispatch, jobsTap, segmentsTap } from '#kernel/kit/jobs/dispatch.ts';
import { giveUpJob, type JobDependencies, type Work, type Works } from '#kernel/kit/jobs/run.ts';
import { totalsConsumer } from '#kernel/table/count-totals.ts';
import { buildFilters, type Consumer, type FilterPattern } from '#kernel/table/stream.ts';

/** Lists the add-ons. All that a stage has of them is derived from these objects. */
export const addOns = [webhooksAddOn, filesAddOn, reportsAddOn, adminAddOn, upkeepAddOn] as const;

type Outside = Parameters<typeof webhooksAddOn.jobs>[0] & Parameters<typeof adminAddOn.jobs>[0];

/** The works of the product itself. */
const engineJobs = () => ({
  'generate-codes': lazyWork(async () => (await import('#engine/campaigns/generation/codes.ts')).generateCodes),
  'generate-chunk': lazyWork(async () => (await import('#engine/campaigns/generation/chunk.ts')).generateChunk),
  'finish-update': lazyWork(async () => (await import('#engine/campaigns/update-campaign.ts')).finishUpdate),
  'hold-vouchers': lazyWork(async () => (await import('#engine/publishing/hold-later.ts')).holdVouchers),
  'write-behind': lazyWork(async () => (await import('#engine/checkout/redemptions/writes-behind.ts')).writeBehind),
  'delete-campaign': lazyWork(
    async () => (await import('#engine/publishing/campaign-deletion/work.ts')).deleteCampaignWork,
  ),
  'settle-members': lazyWork(async () => (await import('#engine/loyalty/programmes/settle-members.ts')).settleMembers),
  'count-redemptions': lazyWork(
    async () => (await import('#engine/checkout/redemptions/history-job.ts')).countRedemptions,
  ),
  'sync-segment': lazyWork(async () => (await import('#engine/customers/segments/jobs.ts')).syncSegment),
  'delete-segment': lazyWork(async () => (await import('#engine/customers/segments/jobs.ts')).deleteSegmentMembers),
});

/** Ends a job that a stage still has of an add-on that it leaves out now. Operators see it, and may resume it later. */
const leftOutWork = (name: string, work: Work): Work => ({
  run: async (context, job) => {
    await giveUpJob(context, job, work, () => context.note({ level: 'error', given_up: true, left_out: name }));
    return 'done';
  },
});
const drop = async (): Promise<void> => {};

/** Lists the work outside of requests, without the work of add-ons that the stage leaves out. */
export function createWorks(outside: Outside = {}, leftOut: readonly string[] = []): Works {
  const all: Works = {
    ...engineJobs(),
    ...webhooksAddOn.jobs(outside),
    ...filesAddOn.jobs(),
    ...reportsAddOn.jobs(),
    ...adminAddOn.jobs(outside),
    ...upkeepAddOn.jobs(),
  };
  const missing = addOns
    .filter(({ name }) => leftOut.includes(name))
    .flatMap(({ name, jobs }) =>
      Object.entries(jobs(outside)).map(([kind, work]) => [
        kind,
        typeof work === 'function' ? drop : leftOutWork(name, work),
      ]),
    );
  return { ...all, ...Object.fromEntries(missing) };
}

/** The parts of all add-ons that read the stream, apart from their objects, so that the stream's worker bundles no works. */
const streamParts: Readonly<Record<Reading['name'], StreamPart>> = { webhooks: webhooksStream };
const productTaps = [jobsTap, segmentsTap];
type Reading = Extract<(typeof addOns)[number], { readonly readsStream: true }>;

/** Returns the first reader of the stream, which hands work over to the queues. The second reader counts. */
export function streamWork(leftOut: readonly string[] = []) {
  const parts = Object.entries(streamParts).flatMap(([name, part]) => (leftOut.includes(name) ? [] : [part]));
  const taps = [...productTaps, ...parts.flatMap((part) => part.taps)];
  const handOver: StreamPart['handOver'] = async (changes, at) => {
    await dispatch(changes, at.queues, taps);
    for (const part of parts) await part.handOver(changes, at);
  };
  return { keys: parts.flatMap(({ keys }) => keys), handOver };
}

/** Lists all consumers of changes. */
export function listConsumers(): readonly Pick<Consumer<unknown>, 'name' | 'kinds'>[] {
  const ofParts = Object.values(streamParts).flatMap(({ taps, consumers }) => [...taps, ...consumers]);
  return [...productTaps, ...ofParts, totalsConsumer, figuresConsumer, factsConsumer];
}

/** The filters of every reader of the stream. They pass the changes of all consumers, because keys alone do not tell consumers apart. */
export const streamFilters: readonly FilterPattern[] = /* @__PURE__ */ (() => buildFilters(listConsumers()))();

/** Settles due items, and sweeps the work of all add-ons of the stage. */
export function settleDue(
  dependencies: JobDependencies,
  isTimeUp?: () => boolean,
  leftOut: readonly string[] = [],
): ReturnType<typeof upkeepAddOn.hourly> {
  return upkeepAddOn.hourly(dependencies, createWorks({}, leftOut), isTimeUp);
}

/** Sends what waits for minutes. */
export async function sweepEachMinute(
  dependencies: JobDependencies,
  isTimeUp?: () => boolean,
  leftOut: readonly string[] = [],
): Promise<void> {
  for (const one of addOns)
    if ('eachMinute' in one && !leftOut.includes(one.name)) await one.eachMinute(dependencies, isTimeUp);
}
