import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { customerLists } from '#engine/customers/change-customer.ts';
import { voucherId, voucherLists } from '#engine/ledger/codes/voucher-lists.ts';
import { publicationLists } from '#engine/vouchers/publication.ts';
import type { Project } from '#kernel/access/projects/project.ts';
import { idPrefixes } from '#kernel/core/ids.ts';
import { createDocumentClient } from '#kernel/table/connection.ts';
import type { Attributes } from '#kernel/table/item.ts';
import { keyOf, keyText } from '#kernel/table/keys.ts';
import { findOperation } from '../../infra/operations.ts';
import { lambdaContext, recordingDependencies } from './compare.ts';
import { type Exported, putCopies } from './export-items.ts';
import { timeOf } from './seed-lists.ts';
import { eventOf } from './subjects.ts';

/** Writes members of a programme as if requests had made them: copies of what one member's join and points wrote. */

const lists = [voucherLists, customerLists, publicationLists].flatMap((some) => Object.values(some));

async function itemsOf({ client, tableName }: Exported): Promise<Map<string, Attributes>> {
  const items = new Map<string, Attributes>();
  for await (const { Items = [] } of paginateScan({ client: createDocumentClient(client) }, { TableName: tableName }))
    for (const item of Items) items.set(keyText(keyOf(item)), item);
  return items;
}

async function ask({ client, tableName }: Exported, project: Project, name: string, request: object) {
  const dynamodb = createDocumentClient(client);
  const operation = findOperation(name);
  const send = operation.handler.with(recordingDependencies(tableName, dynamodb));
  const event = eventOf(operation, { request: () => request }, 0, { project, tokens: [] });
  const { statusCode, body = '' } = await send(event, lambdaContext);
  if (statusCode !== 200) throw new Error(`${name} answered ${statusCode}: ${body}`);
  return JSON.parse(body);
}

/** The kinds of a member's items that are copied. */
export type Kinds = readonly string[];

/** The kinds that a list of members, one member and a new member read. Other members' items lie in partitions that these never touch. */
export const cards: Kinds = ['VOUCHER', 'HELD_CARD'];

const bareId = (id: string) => id.replace(idPrefixes.voucher, '');

export const memberCode = (index: number) => `MEMBER-${index}`;
export const memberSource = (index: number) => `member-${index}`;

/** Creates one member of the programme by requests, and copies it this many times. */
export async function seedMembers(
  exported: Exported,
  { project, size, kinds }: { project: Project; size: number; kinds: Kinds },
): Promise<void> {
  const before = await itemsOf(exported);
  const customer = { source_id: 'bench-first', name: 'First of all' };
  const params = { campaignId: 'camp_crew' };
  const card = await ask(exported, project, 'add-member', { params, body: { customer } });
  const event = { event: 'purchase_made', customer: { source_id: 'bench-first' }, loyalty: { code: card.code } };
  await ask(exported, project, 'send-event', { body: { ...event, metadata: { amount: 24_900, receipt: 'B-1' } } });
  const after = await itemsOf(exported);
  const made = [...after].filter(([key]) => !before.has(key)).map(([, item]) => item);
  const templates = made.filter(({ kind }) => kinds.includes(String(kind)));
  const publication = String(made.find(({ kind }) => kind === 'PUBLICATION')?.id);
  const own = (index: number) => ({
    // Other ids contain it without its prefix.
    [bareId(card.id)]: bareId(voucherId(project, memberCode(index))),
    [card.code]: memberCode(index),
    [card.holder_id]: `cust_member_${index}`,
    [card.created_at]: timeOf(index),
    [publication]: `${publication}${index}`,
    'bench-first': memberSource(index),
  });
  await putCopies(exported, 'members', { templates, lists, count: size, own });
}
