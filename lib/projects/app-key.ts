import * as v from 'valibot';
import type { Table } from '../dynamodb.ts';
import { keys } from '../table.ts';
import { projectId } from './project.ts';
import { matchesHash } from './secret.ts';

/** As stored: the token only as its hash. */
export const appKeyItem = v.object({
  app_id: v.string(),
  name: v.string(),
  project_id: projectId,
  token_hash: v.string(),
  active: v.boolean(),
});

export type AppKey = v.InferOutput<typeof appKeyItem>;

export function findAppKey(table: Table, appId: string): Promise<AppKey | undefined> {
  return table.get(keys.appKey(appId), appKeyItem);
}

/** Does the same work for an unknown id, a wrong token and a switched-off key. `tokenHash`: of the token presented. */
export function acceptsToken(appKey: AppKey | undefined, tokenHash: string): appKey is AppKey {
  return matchesHash(tokenHash, appKey?.token_hash) && appKey?.active === true;
}
