import { ServiceError } from '#kernel/core/errors.ts';
import type { Table } from '#kernel/table/table.ts';
import type { Project } from '../projects/project.ts';
import { hashSecret } from '../projects/secret.ts';
import { requireFields } from './require-fields.ts';
import { tokensByHash, toUnixSeconds } from './token.ts';

interface Context {
  table: Table;
  now: Date;
  project: Project;
  credentials: { forgetToken: (accessToken: string) => void };
}

/** Deletes the token. A container with the token in its cache accepts it for at most 60 s more. */
export async function revokeToken(
  { table, now, project, credentials }: Context,
  form: { access_token?: string | undefined },
): Promise<void> {
  requireFields(form, ['access_token']);
  const wasThere = await table.remove(tokensByHash(hashSecret(form.access_token)), {
    condition: '#project = :project AND #expiresAt > :now',
    names: { '#project': 'project_id', '#expiresAt': 'expiresAt' },
    values: { ':project': project.id, ':now': toUnixSeconds(now) },
  });
  credentials.forgetToken(form.access_token);
  if (!wasThere) throw new ServiceError('not_found', { details: 'no active token of this project has this value' });
}
