import * as v from 'valibot';
import { campaigns } from '#engine/campaigns/campaign.ts';
import type { Reading } from '#kernel/http/context.ts';
import { noteProgress } from '#kernel/kit/jobs/action.ts';
import { endJob, requireOpenJob } from '#kernel/kit/jobs/job.ts';
import type { JobContext, RunOutcome, Work } from '#kernel/kit/jobs/run.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { change, check, commitApart, type Effect, remove } from '#kernel/table/effects.ts';
import { parseStored } from '#kernel/table/item.ts';
import { type Key, keyOf } from '#kernel/table/keys.ts';
import type { ItemKey } from '#kernel/table/kind.ts';
import { Update } from '#kernel/table/update.ts';
import { versionRemovals } from '#kernel/table/version-effects.ts';
import { campaignDeletionItem, type DeletionJob, deletionJobs } from './job.ts';
import { walkPartBatches } from './parts.ts';
import { effectsAtOnce, walkRemovalBatches, walkVoucherBatches } from './vouchers.ts';

const tombstoneItem = v.object({
  deleted_at: v.optional(v.string()),
  deletion: v.optional(v.string()),
  generations_open: v.optional(v.number(), 0),
});

type DeletionUpdate = Update<typeof campaignDeletionItem>;

/** A running deletion. */
interface Deletion {
  readonly reading: Reading;
  readonly job: DeletionJob;
  readonly jobKey: ItemKey;
  readonly campaign: ItemKey;
}

const isOwn = ({ campaign, job }: Deletion): Effect =>
  check(campaign, (update: Update<typeof tombstoneItem>) => update.whenStill('deletion', job.deletion));

/** Returns the campaign's tombstone, or nothing if it is missing or another deletion has replaced this deletion. */
async function tombstoneOf({ reading, campaign, job }: Deletion) {
  const [stored] = await reading.table.getMany([campaign], { deletedToo: true });
  const tombstone = stored && parseStored(tombstoneItem, stored);
  return tombstone?.deleted_at !== undefined && tombstone.deletion === job.deletion ? tombstone : undefined;
}

/**
 * Removes these vouchers with their children, each counted once. `false` means that another deletion has replaced this
 * deletion.
 */
function takeAway(deletion: Deletion, keys: readonly Key[]): Promise<boolean> {
  const { reading, job, jobKey } = deletion;
  const { table } = reading;
  return retryOptimistically(table, async () => {
    for await (const { effects, vouchers } of walkRemovalBatches(reading, keys, job.keeps)) {
      const counted = change(jobKey, (update) => update.whenThere().add('done_count', vouchers));
      if (await commitApart(table, [isOwn(deletion), ...effects, counted])) continue;
      return (await tombstoneOf(deletion)) ? again : false;
    }
    return true;
  });
}

/** Removes the vouchers and the other parts. `undefined` means that nothing is left. */
async function walk(deletion: Deletion, { isTimeUp, now }: JobContext): Promise<RunOutcome | undefined> {
  const { reading, job, jobKey } = deletion;
  const { table } = reading;
  for await (const { keys, at } of walkVoucherBatches(reading, job.about, job.at)) {
    if (!(await takeAway(deletion, keys))) return 'done';
    const noted = noteProgress<DeletionUpdate>(new Update(), { started_at: job.started_at }, now)
      .whenStill('state', 'OPEN')
      .set(['at'], at);
    await table.change(jobKey, noted.build());
    if (isTimeUp()) return 'next';
  }
  for await (const batch of walkPartBatches(reading, job.about, effectsAtOnce)) {
    if (!(await commitApart(table, [isOwn(deletion), ...batch]))) return 'done';
    if (isTimeUp()) return 'next';
  }
  return undefined;
}

/** Ends the deletion. Without the bin, also removes the tombstone. */
async function end({ reading, job, jobKey, campaign }: Deletion, now: Date): Promise<void> {
  const ended = change(jobKey, (update) => requireOpenJob(endJob(now, update)));
  const gone = [
    remove(campaign, (update: Update<typeof tombstoneItem>) => update.whenStill('deletion', job.deletion)),
    ...versionRemovals(campaign),
  ];
  await commitApart(reading.table, job.keeps ? [ended] : [...gone, ended]);
}

/**
 * Removes what a deleted campaign has left. It may be cut off anywhere, and two workers may run it simultaneously. It
 * waits for running generations of codes, which end by themselves. Then it walks the lists, which lag, once more.
 */
export const deleteCampaignWork: Work = {
  run: async (context, stored): Promise<RunOutcome> => {
    const { table, now } = context;
    const job = parseStored(campaignDeletionItem, stored);
    const project = await context.project();
    const deletion: Deletion = {
      reading: { table, project, now },
      job,
      jobKey: { ...deletionJobs(project.id, 'DELETION', job.deletion), ...keyOf(stored) },
      campaign: campaigns(project.id, job.about),
    };
    const isLost = async () => {
      await table.change(deletion.jobKey, requireOpenJob(endJob(now)).build());
      return 'done' as const;
    };
    if (!(await tombstoneOf(deletion))) return isLost();
    const outcome = await walk(deletion, context);
    if (outcome === 'next') return outcome;
    const tombstone = await tombstoneOf(deletion);
    if (!tombstone) return isLost();
    if (tombstone.generations_open > 0) return 'later';
    if (!job.emptied) {
      const emptied = requireOpenJob<DeletionUpdate>(new Update()).set(['emptied'], true).remove(['at']);
      await table.change(deletion.jobKey, emptied.build());
      return 'later';
    }
    await end(deletion, now);
    return 'done';
  },
};
