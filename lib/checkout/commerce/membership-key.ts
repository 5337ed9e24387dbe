import * as v from 'valibot';
import { campaignEntry, campaignLists } from '../../campaigns/campaign-lists.ts';
import type { Reading } from '../../http/context.ts';
import { parseStored } from '../../table/item.ts';
import { walkList } from '../../table/listing.ts';

/** Names programmes by reversed domains, as UCP does (docs/commerce.md#memberships). */

/** Limits the programmes that a claim may name, the newest. */
const maxProgrammes = 100;
/** Limits the campaigns among which programmes are searched. */
const maxCampaigns = 1_000;

const pattern = /^[a-z](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9_-]*[a-z0-9_])?)+$/;

export const reversedDomain = v.pipe(
  v.string(),
  v.maxLength(200, 'must have at most 200 characters'),
  v.regex(pattern, 'must be a reversed domain, such as com.example.shop'),
);

/** Returns the key of a programme: the shop's domain, and the programme's name in plain letters. */
export function nameMembership(domain: string, { id, name }: { readonly id: string; readonly name: string }): string {
  const plain = (text: string) =>
    text
      .normalize('NFKD')
      .toLowerCase()
      .replaceAll(/\p{M}/gu, '')
      .replaceAll(/[^a-z0-9]+/g, '_')
      .replaceAll(/^_+|_+$/g, '');
  return `${domain}.${plain(name) || plain(id)}`;
}

/** Returns the ids of the project's newest programmes. */
export async function listProgrammeIds({ table, project }: Reading): Promise<string[]> {
  const ids: string[] = [];
  let looked = 0;
  for await (const { listed } of walkList(table, campaignLists.created_at, [project.id], { descending: true })) {
    const { id, campaign_type } = parseStored(campaignEntry, listed);
    if (campaign_type === 'LOYALTY_PROGRAM') ids.push(id);
    looked += 1;
    if (ids.length === maxProgrammes || looked === maxCampaigns) break;
  }
  return ids;
}
