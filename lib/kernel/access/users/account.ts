import { hash } from 'node:crypto';
import * as v from 'valibot';
import { idPrefixes } from '#kernel/core/ids.ts';
import { count, email, record, reference, shortText, text } from '#kernel/core/schema.ts';
import { sharedKind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import type { Table } from '#kernel/table/table.ts';

/** A user with the roles in all projects. It decides what a token may do for the user (docs/decisions/access-and-projects.md#d-119). */
export const accountItem = v.object({
  id: text,
  login: text,
  email,
  first_name: shortText,
  last_name: shortText,
  /** The role in each project, by the project's id. */
  projects: record(reference),
  /** Increases with each change. */
  revision: v.optional(count),
});

export type Account = v.InferOutput<typeof accountItem>;

export const accountsById = sharedKind(kinds.userAccount);

/** Returns the login of an e-mail address. Spellings that differ only in case belong to the same user. */
export function toLogin(email: string): string {
  return email.toLowerCase();
}

/** Returns the id of the user with this login. The id follows from the login, so that both lead to one item. */
export function deriveUserId(login: string): string {
  return idPrefixes.user + hash('sha256', `user ${toLogin(login)}`, 'base64url').slice(0, 22);
}

export function findAccount(table: Pick<Table, 'get'>, userId: string): Promise<Account | undefined> {
  return table.get(accountsById(userId), accountItem);
}

/** Returns the user's role in the project, or `undefined` if the user has no role. */
export function findRole(account: Account | undefined, projectId: string): string | undefined {
  return account && Object.hasOwn(account.projects, projectId) ? account.projects[projectId] : undefined;
}
