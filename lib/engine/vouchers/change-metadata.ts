import { type CampaignTerms, readTerms } from '#engine/campaigns/campaign-terms.ts';
import { moveFreeVoucher, noteChange } from '#engine/ledger/codes/voucher-lists.ts';
import { mergeMetadata } from '#kernel/core/merge-metadata.ts';
import type { CompiledSchema } from '#kernel/core/metadata/check.ts';
import type { Reading, Showing } from '#kernel/http/context.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { change, commit } from '#kernel/table/effects.ts';
import { voucherOr404 } from './find-voucher.ts';
import type { VoucherUpdate } from './voucher.ts';
import { type VoucherItem, vouchers } from './voucher.ts';

/** Returns the schema of a voucher. A campaign decides whether its vouchers use the schema of vouchers or of campaigns. */
export function voucherSchema(
  { schemas }: Reading['project'],
  campaign: Pick<CampaignTerms, 'use_voucher_metadata_schema'> | undefined,
): CompiledSchema | undefined {
  return schemas(!campaign || campaign.use_voucher_metadata_schema ? 'voucher' : 'campaign');
}

/** Reads the voucher's campaign if the project has a schema that may apply. */
async function findSchema(context: Reading, { campaign_id }: VoucherItem): Promise<CompiledSchema | undefined> {
  const { schemas } = context.project;
  if (!schemas('voucher') && !schemas('campaign')) return undefined;
  const terms = campaign_id ? await readTerms(context, [campaign_id]) : undefined;
  return voucherSchema(context.project, terms?.get(campaign_id ?? ''));
}

/** Merges sent metadata into the voucher's, key by key, if it has not changed since it was read. `null` clears everything. */
export function mergeVoucherMetadata(
  update: VoucherUpdate,
  { metadata }: Pick<VoucherItem, 'metadata'>,
  sent: Readonly<Record<string, unknown>> | null,
  schema: CompiledSchema | undefined,
): VoucherUpdate {
  const isEmpty = Object.keys(metadata).length === 0;
  return (isEmpty ? update.whenUnsetOr('metadata', metadata) : update.whenStill('metadata', metadata)).set(
    ['metadata'],
    mergeMetadata({ place: 'metadata', schema }, metadata, sent),
  );
}

/**
 * Moves a voucher that is switched in the list of free vouchers. A switch or a publication since the read makes the
 * write fail. Any other change also makes it fail, because the write may arrive after the voucher was switched twice.
 */
export function moveSwitched(
  update: VoucherUpdate,
  projectId: string,
  item: VoucherItem,
  active: boolean | null,
): VoucherUpdate {
  return moveFreeVoucher(update, projectId, { ...item, active })
    .whenUnsetOr('updated_at', item.updated_at)
    .whenStill('active', item.active ?? undefined)
    .whenStill('holder_id', item.holder_id ?? undefined);
}

interface BriefChanges {
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly active?: boolean | null | undefined;
}

/** Merges metadata into the metadata of a voucher, key by key, and switches the voucher. Absent fields stay, and `null` clears `active`. */
export function changeVoucherBriefly(
  context: Showing,
  codeOrId: string,
  { metadata, active }: BriefChanges,
): Promise<true> {
  const { table, project, now } = context;
  return retryOptimistically(table, async () => {
    const item = await voucherOr404(context, codeOrId);
    const schema = metadata && (await findSchema(context, item));
    const done = await commit(table, [
      change(vouchers(project.id, item.id), (update) => {
        noteChange(update, project.id, item.id, now.toISOString()).whenThere().take({ active }, ['active']);
        if (metadata !== undefined) mergeVoucherMetadata(update, item, metadata, schema);
        return active === undefined || active === item.active ? update : moveSwitched(update, project.id, item, active);
      }),
    ]);
    return done || again;
  });
}
