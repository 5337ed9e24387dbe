import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { voucherId } from '#engine/ledger/codes/voucher-lists.ts';
import { sealAssetId } from '#engine/vouchers/asset-id.ts';
import { appKeysById } from '#kernel/access/projects/app-key.ts';
import { managementKeysById } from '#kernel/access/projects/management-key.ts';
import { findProject, listedProjects } from '#kernel/access/projects/project.ts';
import { hashSecret } from '#kernel/access/projects/secret.ts';
import { tokensByHash } from '#kernel/access/tokens/token.ts';
import type { Dependencies } from '#kernel/http/composition.ts';
import { keyOf, keyText, projectRange } from '#kernel/table/keys.ts';
import { Table } from '#kernel/table/table.ts';
import { findOperation, type Operation } from '../../infra/operations.ts';
import { caller } from './call.ts';
import { testTime } from './dependencies.ts';
import { type Marked, marked } from './marked-demo.ts';
import { binnedIn } from './one-of-each.ts';
import { issueToken } from './tokens.ts';

/** Makes up an id with the length and letters of a real id. */
const madeUp = (prefix: string, bytes = 16) => prefix + randomBytes(bytes).toString('base64url');

/** Names for a caller to try, of an existing project or of none. */
export interface World {
  /** The text after the demo's names. */
  mark: string;
  project: string;
  voucherId: (code: string) => string;
  /** From here on: ids and tokens that the service has issued. */
  activity: string;
  qr: string;
  barcode: string;
  token: string;
  /** A token with the scope `client_api`. */
  pageToken: string;
  binEntryId: string;
}

export const call = (operation: Operation, dependencies: Dependencies) => caller(operation.handler, dependencies);
export const callTo = (name: string, dependencies: Dependencies) => call(findOperation(name), dependencies);

export async function worldOf(
  { id, credentials: headers }: Marked,
  mark: string,
  dependencies: Dependencies,
): Promise<World> {
  const table = new Table(dependencies.dynamodb, dependencies.tableName, testTime);
  const project = await findProject(table, id);
  if (!project) throw new Error(`${id} was not loaded`);
  const { params = {}, body } = findOperation('send-event').route.example;
  const sent = await callTo('send-event', dependencies)({ headers, params, body: marked(body, mark) });
  expect(sent.status).toBe(200);
  const list = callTo('list-customer-activities', dependencies);
  const { body: activities } = await list({ headers, params: { customerId: `crm-101${mark}` } });
  return {
    mark,
    project: id,
    voucherId: (code) => voucherId(project, code),
    activity: activities.data[0].id,
    qr: sealAssetId(project, 'qr', `TIDE-HELLO${mark}`),
    barcode: sealAssetId(project, 'barcode', `TIDE-HELLO${mark}`),
    token: await issueToken(headers, 'api', dependencies),
    pageToken: await issueToken(headers, 'client_api', dependencies),
    binEntryId: await binnedIn(headers, dependencies),
  };
}

/** Returns names that look real and belong to no project. */
export function nobodys(mark: string, like: World): World {
  const ids = new Map<string, string>();
  return {
    mark,
    project: madeUp('proj_', 12).slice(0, like.project.length),
    voucherId: (code) => {
      const id = ids.get(code) ?? madeUp('v_');
      ids.set(code, id);
      return id;
    },
    activity: like.activity.slice(0, -22) + madeUp(''),
    qr: 'no picture',
    barcode: 'no bar code',
    token: madeUp('', 32),
    pageToken: madeUp('', 32),
    binEntryId: like.binEntryId.slice(0, -22) + madeUp(''),
  };
}

/** Returns everything in the project, and the credentials that open it. */
export async function everythingOf(
  { id, credentials, management }: Marked,
  { token }: World,
  dependencies: Dependencies,
) {
  const table = new Table(dependencies.dynamodb, dependencies.tableName, testTime);
  const items = new Map<string, unknown>();
  for await (const page of table.scan(projectRange(id))) for (const item of page) items.set(keyText(keyOf(item)), item);
  const credentialKeys = [
    appKeysById(credentials['x-app-id'] ?? ''),
    managementKeysById(management['x-management-id'] ?? ''),
    tokensByHash(hashSecret(token)),
    listedProjects.at(id),
  ];
  const found = await table.getMany(credentialKeys);
  expect(found.every(Boolean)).toBe(true);
  for (const [index, key] of credentialKeys.entries()) items.set(keyText(key), found[index]);
  return items;
}
