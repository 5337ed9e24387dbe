import { ServiceError } from '#kernel/core/errors.ts';
import type { Table } from '#kernel/table/table.ts';
import type { Project } from '../projects/project.ts';
import { hashSecret, newSecret } from '../projects/secret.ts';
import { parseScopes, type TokenScope } from '../scopes.ts';
import { findAccount, findRole } from '../users/account.ts';
import { narrowScopes } from '../users/roles.ts';
import { requireFields } from './require-fields.ts';
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
  user_id?: string | undefined;
}

/** Narrows the scopes to what the user's role allows (RFC 6749 §3.3). */
async function scopesOfUser(
  { table, project }: Pick<Context, 'table' | 'project'>,
  userId: string,
  scopes: readonly TokenScope[],
): Promise<TokenScope[]> {
  const role = findRole(await findAccount(table, userId), project.id);
  if (role === undefined) {
    throw new ServiceError('user_not_assigned', {
      details: 'user_id must be the id of a user of this project: send another id, or add the user to the project',
    });
  }
  const narrowed = narrowScopes(role, scopes);
  if (narrowed.length > 0) return narrowed;
  throw new ServiceError('invalid_scope', {
    details: `the role of the user, ${role}, opens none of the scopes: ask for another scope`,
  });
}

/** Issues a token (RFC 6749 §4.4 and §5.1, docs/tokens-and-keys.md#tokens). */
export async function issueToken(
  { table, now, project, caller }: Context,
  { user_id: userId, ...request }: TokenRequest,
): Promise<Token> {
  requireFields(request, ['grant_type', 'scope']);
  if (request.grant_type !== 'client_credentials') {
    throw new ServiceError('invalid_grant_type', { details: 'grant_type must be client_credentials' });
  }
  const parsed = parseScopes(request.scope);
  if ('fault' in parsed) throw new ServiceError('invalid_scope', { details: parsed.fault });

  const scopes = userId === undefined ? parsed.scopes : await scopesOfUser({ table, project }, userId, parsed.scopes);
  const accessToken = newSecret();
  const item: TokenItem = {
    project_id: project.id,
    app_id: caller.appId,
    scopes,
    ...(userId === undefined ? {} : { user_id: userId }),
    expiresAt: toUnixSeconds(now) + tokenLifeInSeconds,
  };
  await table.insert(tokensByHash(hashSecret(accessToken)), item);
  return presentToken(accessToken, item, now);
}
