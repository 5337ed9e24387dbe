import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { findProgrammes, type Programme } from '#engine/campaigns/programme.ts';
import { voucherLists } from '#engine/ledger/codes/voucher-lists.ts';
import { recalculateTier, settleByTime } from '#engine/ledger/settlement.ts';
import { vouchers } from '#engine/vouchers/voucher.ts';
import type { Project } from '#kernel/access/projects/project.ts';
import { finishJob } from '#kernel/kit/jobs/endings.ts';
import { jobItem, newJob, requireOpenJob } from '#kernel/kit/jobs/job.ts';
import type { JobContext, Work } from '#kernel/kit/jobs/run.ts';
import { splitIntoBatches } from '#kernel/table/batches.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { commitApart } from '#kernel/table/effects.ts';
import { type Key, keyOf } from '#kernel/table/keys.ts';
import { type ItemKey, kind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { walkList } from '#kernel/table/listing.ts';
import { Update } from '#kernel/table/update.ts';
import { planSettling } from '../settle-cards.ts';

const settleJobItem = v.object({
  ...jobItem.entries,
  about: v.string(),
  /** The place in the list of cards up to which they were examined. */
  at: v.optional(v.string()),
  /** True if kept tiers get dates by the programme's current rules. */
  recalculates: v.optional(v.boolean(), false),
});

type SettleJob = v.InferOutput<typeof settleJobItem>;

const settleJobs = kind<typeof settleJobItem, [type: 'SETTLE_MEMBERS', id: string]>(kinds.job, settleJobItem);

/** Starts the job that examines all members of a programme, in the transaction that changes its tiers. */
export function startMemberSettlement(
  projectId: string,
  campaignId: string,
  now: Date,
  { recalculates = false } = {},
): { key: ItemKey; insert: Record<string, unknown> } {
  const key: ItemKey = { ...settleJobs(projectId, 'SETTLE_MEMBERS', randomUUID()), kind: 'settle-members' };
  const job = { kind: 'settle-members', about: campaignId, project_id: projectId } as const;
  return { key, insert: newJob(key, job, now, { recalculates }).insert };
}

/** Limits the cards between two notes of progress, and the cards that are examined together. */
const cardsAtOnce = 50;

interface Looking {
  readonly context: JobContext;
  readonly project: Project;
  readonly programme: Programme;
  readonly job: SettleJob;
}

/** Moves one member to the right tier. Requires an unchanged card. */
async function settleMember({ context: { table, now }, project, programme, job }: Looking, key: Key) {
  const look = job.recalculates ? recalculateTier : settleByTime;
  await retryOptimistically(table, async () => {
    const item = await table.get(key, vouchers.schema);
    const due = item && (await planSettling({ table, project, now }, { item, programme }, look));
    if (!due) return true;
    return ((await commitApart(table, due.effects)) && !due.isPart) || again;
  });
}

/** Moves each card at most once, however often the job is repeated. A card in the right tier stays unchanged. */
export const settleMembers: Work = {
  run: async (context, stored) => {
    const { table, now, isTimeUp } = context;
    const job = v.parse(settleJobItem, stored);
    const project = await context.project();
    const range = { atOnce: cardsAtOnce, ...(job.at === undefined ? {} : { behind: job.at }) };
    const cards = walkList(table, voucherLists.ofCampaign, [project.id, job.about], range);
    for await (const batch of splitIntoBatches(cards, cardsAtOnce)) {
      const programme = (await findProgrammes({ table, project, now }, [job.about])).get(job.about);
      if (!programme) break;
      await Promise.all(batch.map(({ key }) => settleMember({ context, project, programme, job }, key)));
      await table.change(keyOf(job), requireOpenJob(new Update().set(['at'], batch.at(-1)?.at)).build());
      if (isTimeUp()) return 'next';
    }
    await finishJob({ table, now }, job);
    return 'done';
  },
};
