import { ServiceError } from '../../core/errors.ts';
import type { Table } from '../../table/table.ts';
import type { Project } from '../projects/project.ts';
import { hashSecret, newSecret } from '../projects/secret.ts';
import { requireFields } from './require-fields.ts';
import { parseScopes } from './scopes.ts';
import { presentToken, type Token, type TokenItem, tokenLifeInSeconds, tokensByHash, toUnixSeconds } from './token.ts';

interface Context {
  table: Table;
  now: Date;
  project: Project;
  caller: { appId: string };
}

export interface TokenRequest {
  grant_type?: string | undefined;
  scope?: string | undefined;
}

/** Issues a token (RFC 6749 §4.4 and §5.1, docs/tokens-and-keys.md#tokens). */
export async function issueToken({ table, now, project, caller }: Context, request: TokenRequest): Promise<Token> {
  requireFields(request, ['grant_type', 'scope']);
  if (request.grant_type !== 'client_credentials') {
    throw new ServiceError('invalid_grant_type', { details: 'grant_type must be client_credentials' });
  }
  const parsed = parseScopes(request.scope);
  if ('fault' in parsed) throw new ServiceError('invalid_scope', { details: parsed.fault });

  const accessToken = newSecret();
  const item: TokenItem = {
    project_id: project.id,
    app_id: caller.appId,
    scopes: parsed.scopes,
    expiresAt: toUnixSeconds(now) + tokenLifeInSeconds,
  };
  await table.insert(tokensByHash(hashSecret(accessToken)), item);
  return presentToken(accessToken, item, now);
}
