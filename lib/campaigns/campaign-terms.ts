import type * as v from 'valibot';
import { object } from '../core/schema.ts';
import { type Attributes, parseStored } from '../table/item.ts';
import type { Table } from '../table/table.ts';
import { Versioned } from '../table/versioned.ts';
import { campaignItem, campaigns } from './campaign.ts';

const {
  // Texts of its own, which no voucher shows.
  description,
  metadata,
  access_settings,
  access_settings_assignments,
  // What moves without a new version.
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

/** What a campaign says of its vouchers, cards and tiers. */
export type CampaignTerms = v.InferOutput<typeof campaignTerms>;

export function termsOf(item: Attributes): CampaignTerms {
  return parseStored(campaignTerms, item);
}

export const campaignsByVersion = new Versioned(termsOf);

/** The terms of these campaigns, by id, of those that are there. */
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
