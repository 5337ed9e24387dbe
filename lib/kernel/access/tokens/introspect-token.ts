import type * as v from 'valibot';
import type { Table } from '#kernel/table/table.ts';
import type { Project } from '../projects/project.ts';
import { hashSecret } from '../projects/secret.ts';
import { requireFields } from './require-fields.ts';
import { findToken, type introspection, presentToken, type TokenItem } from './token.ts';

interface Context {
  table: Table;
  now: Date;
  project: Project;
  credentials: {
    /** True if the token has not expired and its key is active. */
    isActive: (token: TokenItem) => Promise<boolean>;
  };
}

/** Reads the token from the table, so that a revoked token is inactive here immediately (RFC 7662). */
export async function introspectToken(
  { table, now, project, credentials }: Context,
  form: { access_token?: string | undefined },
): Promise<v.InferOutput<typeof introspection>> {
  requireFields(form, ['access_token']);
  const item = await findToken(table, hashSecret(form.access_token));
  if (!item || item.project_id !== project.id || !(await credentials.isActive(item))) return { active: false };
  return { ...presentToken(form.access_token, item, now), active: true };
}
