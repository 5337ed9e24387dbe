import { createHmac } from 'node:crypto';
import { cards } from '#engine/ledger/card.ts';
import { buildCodeSpace, drawCodes } from '#engine/ledger/codes/code-space.ts';
import { placeVoucher, voucherId } from '#engine/ledger/codes/voucher-lists.ts';
import type { Project } from '#kernel/access/projects/project.ts';
import { inTimezone } from '#kernel/core/local-time.ts';
import type { Insertion } from '#kernel/table/command.ts';
import type { CampaignItem } from '../campaign.ts';
import { voucherTypes } from '../kinds.ts';
import { makeDue, openContent } from '../voucher-content.ts';
import { type ChunkJob, type CodesJob, placeChunk } from './job.ts';

/** Derives the key that orders the codes of a generation. The codes cannot be predicted without it. */
function orderKey(project: Project, generationId: string): Buffer {
  return createHmac('sha256', project.codeKey).update(generationId).digest();
}

/** Returns the draws of a chunk, and the write that stores each draw as a voucher. */
export function planDraws(project: Project, campaign: CampaignItem, generation: CodesJob, { index }: ChunkJob) {
  const outcome = buildCodeSpace(generation.code_config ?? campaign.voucher?.code_config ?? {});
  if ('faults' in outcome) throw new Error('the code configuration of a campaign is not valid');
  const { space } = outcome;
  const place = placeChunk(index, generation.steps);
  return {
    place,
    from: (position: number) => drawCodes(space, orderKey(project, generation.id), place, position),
    write: (code: string, draw: number) =>
      voucherWrite(project, campaign, { generation, code, origin: `${generation.id} ${index} ${draw}` }),
  };
}

interface Drawn {
  generation: CodesJob;
  code: string;
  /** Names the draw that made it, so that a repeated draw recognises its own code. */
  origin: string;
}

/** Stores a generated voucher like a loaded voucher. Reads inherit the remaining fields from the campaign. */
function voucherWrite(project: Project, campaign: CampaignItem, { generation, code, origin }: Drawn): Insertion {
  const id = voucherId(project, code);
  const key = cards(project.id, id);
  const type = voucherTypes[campaign.campaign_type] ?? 'DISCOUNT_VOUCHER';
  const { created_at, own } = generation;
  const now = inTimezone(new Date(created_at), project.timezone);
  const given = campaign.voucher;
  const { redemption_quantity = given?.redemption?.quantity, ...fields } = own;
  const made = {
    active: true,
    ...fields,
    id,
    code,
    type,
    campaign_id: campaign.id,
    is_referral_code: given?.is_referral_code ?? false,
    redemption_quantity: redemption_quantity ?? undefined,
    ...openContent({ type }, given, now),
    ...makeDue(key, type, now),
    created_at,
    origin,
  };
  return { key, item: { ...made, ...placeVoucher(project.id, made) } };
}
