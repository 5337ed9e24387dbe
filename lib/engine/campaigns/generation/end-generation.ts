import * as v from 'valibot';
import { endJob, failAndListJob, requireOpenJob } from '#kernel/kit/jobs/job.ts';
import type { Write } from '#kernel/table/command.ts';
import { type Attributes, parseStored } from '#kernel/table/item.ts';
import { Update } from '#kernel/table/update.ts';
import { type CampaignUpdate, campaignItem, campaigns } from '../campaign.ts';
import { type CodesJob, type CodesUpdate, codesJobs } from './job.ts';

/** Holds the campaign of a generation as read. `deleted_at` marks a campaign that is being deleted. */
export type GeneratedCampaign = v.InferOutput<typeof besideItem> | undefined;

const besideItem = v.object({ ...campaignItem.entries, deleted_at: v.optional(v.string()) });

export function parseGenerated(stored: Attributes | undefined): GeneratedCampaign {
  return stored && parseStored(besideItem, stored);
}

export function isDeleted(campaign: GeneratedCampaign): boolean {
  return campaign?.deleted_at !== undefined;
}

interface Ending {
  campaign: GeneratedCampaign;
  isFailed: boolean;
  now: Date;
}

/**
 * Moves the campaign's statuses when one of its generations ends. The generation of its creation decides `creation_status`,
 * and all generations together decide `vouchers_generation_status`. A campaign that is being deleted only counts the end.
 */
function endAtCampaign(
  update: CampaignUpdate,
  { is_creation }: CodesJob,
  { campaign, isFailed }: Ending,
): CampaignUpdate {
  update.add('generations_open', -1);
  if (!campaign || campaign.deleted_at !== undefined) return update.whenStill('deleted_at', campaign?.deleted_at);
  const { generations_open: open, generations_failed: failed } = campaign;
  update.whenThere().whenUnsetOr('generations_open', open).whenUnsetOr('generations_failed', failed);
  if (isFailed) update.add('generations_failed', 1);
  if (is_creation) update.set(['creation_status'], isFailed ? 'FAILED' : 'DONE');
  if (open > 1) return update;
  return update.set(['vouchers_generation_status'], isFailed || failed > 0 ? 'FAILED' : 'DONE');
}

/** Ends a generation. The parameter `beside` adds changes of its job and its campaign to the same transaction. */
export function endGeneration(
  projectId: string,
  job: CodesJob,
  ending: Ending,
  beside: { job?: CodesUpdate; campaign?: CampaignUpdate } = {},
): Write[] {
  const { campaign, isFailed, now } = ending;
  const ended = isFailed ? failAndListJob(now, beside.job) : endJob(now, beside.job);
  return [
    { key: codesJobs(projectId, job.id), change: requireOpenJob(ended).build() },
    ...(campaign
      ? [
          {
            key: campaigns(projectId, campaign.id),
            change: endAtCampaign(beside.campaign ?? new Update(), job, ending).build(),
          },
        ]
      : []),
  ];
}
