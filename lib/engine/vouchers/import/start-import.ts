import type * as v from 'valibot';
import { findCampaign } from '#engine/campaigns/find-campaign.ts';
import { findVoucherType } from '#engine/campaigns/kinds.ts';
import { foldCode, voucherId } from '#engine/ledger/codes/voucher-lists.ts';
import type { Project } from '#kernel/access/projects/project.ts';
import { type ErrorKey, joinFaults, ServiceError } from '#kernel/core/errors.ts';
import type { CsvUpload } from '#kernel/http/upload.ts';
import { type BulkContext, startBulk } from '#kernel/kit/bulk/job.ts';
import { importCsv } from '#kernel/kit/bulk/upload.ts';
import { vouchers } from '../voucher.ts';
import { campaignVouchersCsv } from './csv.ts';
import { campaignVouchersImport, type importBody, vouchersImport } from './rows.ts';

type Body = v.InferOutput<typeof importBody>;

function refuse(key: ErrorKey, faults: readonly string[]): void {
  if (faults.length > 0) throw new ServiceError(key, { details: joinFaults(faults) });
}

function* findRepeats(project: Project, codes: readonly string[]): Generator<string> {
  const firsts = new Map<string, number>();
  for (const [index, code] of codes.entries()) {
    const folded = foldCode(project, code);
    const first = firsts.get(folded);
    if (first === undefined) firsts.set(folded, index);
    else yield `[${index}].code repeats the code of [${first}]`;
  }
}

/** A request looks for at most this many codes. Each thousand needs some 150 ms of a function with 512 MB. */
const mostLookedFor = 20_000;
const callsAtOnce = 16;
const codesOfCall = 100;

/** Returns a fault for each code that a voucher already has, also a voucher in the bin. The worker checks further codes row by row. */
async function findTakenCodes({ table, project }: BulkContext, all: readonly string[]): Promise<string[]> {
  const codes = all.slice(0, mostLookedFor);
  const faults: string[] = [];
  const found = async (from: number) => {
    const keys = codes.slice(from, from + codesOfCall).map((code) => vouchers(project.id, voucherId(project, code)));
    const items = await table.getMany(keys, { deletedToo: true });
    faults.push(
      ...items.flatMap((item, index) => (item ? [`[${from + index}].code is already the code of a voucher`] : [])),
    );
  };
  for (let from = 0; from < codes.length; from += callsAtOnce * codesOfCall) {
    const calls = Array.from({ length: callsAtOnce }, (_, call) => from + call * codesOfCall);
    await Promise.all(calls.filter((first) => first < codes.length).map(found));
  }
  return faults;
}

async function checkCodes(context: BulkContext, rows: Body): Promise<void> {
  const codes = rows.map(({ code }) => code);
  refuse(
    'invalid_voucher',
    codes.flatMap((code, index) => (code ? [] : [`[${index}].code is required`])),
  );
  const all = codes.filter((code) => typeof code === 'string');
  refuse('duplicate_key', [...findRepeats(context.project, all)]);
  refuse('duplicate_key', await findTakenCodes(context, all));
}

/** Returns the id of the campaign that a path names, if it can import vouchers. */
async function findImportingCampaign(context: BulkContext, idOrName: string): Promise<string> {
  const { item } = await findCampaign(context, idOrName);
  if (findVoucherType(item) !== undefined) return item.id;
  throw new ServiceError('invalid_campaign', { details: 'a PROMOTION campaign has no vouchers' });
}

/** Starts the import of vouchers without a campaign. Starts nothing if a code is in use. */
export async function importGenericVouchers(context: BulkContext, rows: Body) {
  await checkCodes(context, rows);
  return startBulk(context, vouchersImport, { rows });
}

/** Starts the import of vouchers of a campaign. Starts nothing if a code is in use. */
export async function importCampaignVouchers(context: BulkContext, campaignIdOrName: string, rows: Body) {
  const campaign_id = await findImportingCampaign(context, campaignIdOrName);
  await checkCodes(context, rows);
  return startBulk(context, campaignVouchersImport, { campaign_id, rows });
}

/** Starts the import of a file of vouchers of a campaign. */
export async function importCampaignFile(context: BulkContext, campaignIdOrName: string, body: CsvUpload) {
  return importCsv(context, campaignVouchersCsv, body, await findImportingCampaign(context, campaignIdOrName));
}
