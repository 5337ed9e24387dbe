import type * as v from 'valibot';
import { object } from '../core/schema.ts';
import { type Attributes, parseStored } from '../table/item.ts';
import type { Table } from '../table/table.ts';
import { Versioned } from '../table/versioned.ts';
import { campaignItem, campaigns } from './campaign.ts';

const {
  // No voucher shows these texts of the campaign.
  description,
  metadata,
  access_settings,
  access_settings_assignments,
  // These fields change without a new version.
  creation_status,
  vouchers_generation_status,
  vouchers_count,
  generations_open,
  generations_failed,
  codes_pending,
  modifying,
  updated_at,
  version,
  ...terms
} = campaignItem.entries;

const campaignTerms = object(terms);

/** Holds the terms that vouchers, cards and tiers inherit from a campaign. */
export type CampaignTerms = v.InferOutput<typeof campaignTerms>;

export function parseTerms(item: Attributes): CampaignTerms {
  return parseStored(campaignTerms, item);
}

export const campaignsByVersion = new Versioned(parseTerms);

/** Returns the terms of the campaigns that exist, by id. */
export async function readTerms(
  { table, project }: { table: Table; project: { id: string } },
  ids: Iterable<string | null | undefined>,
): Promise<Map<string, CampaignTerms>> {
  const wanted = [...new Set(ids)].flatMap((id) => (id ? [id] : []));
  const { found } = await campaignsByVersion.read(
    table,
    wanted.map((id) => campaigns(project.id, id)),
  );
  return new Map(wanted.flatMap((id, index) => (found[index] ? [[id, found[index]] as const] : [])));
}
