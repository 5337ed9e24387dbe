import { accountItem } from '#kernel/access/users/account.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { change, commit, type Effect, remove } from '#kernel/table/effects.ts';
import { type Attributes, parseStored } from '#kernel/table/item.ts';
import { type Key, readKinds } from '#kernel/table/keys.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import type { Table } from '#kernel/table/table.ts';
import type { Update } from '#kernel/table/update.ts';
import { inviteeItem } from './invitation.ts';

/** Items of persons are in no project's partition, because a person may belong to several projects. */
export const personKinds: readonly string[] = [kinds.invitee, kinds.userAccount];

function planInvitee(key: Key, item: Attributes, projectId: string): Effect | undefined {
  const { invitations, revision } = parseStored(inviteeItem, item);
  const others = invitations.filter(({ project_id }) => project_id !== projectId);
  if (others.length === invitations.length) return undefined;
  return change(key, (update: Update<typeof inviteeItem>) =>
    update.whenStill('revision', revision).set(['invitations'], others).add('revision', 1),
  );
}

/** A user without another project no longer has an account. */
function planAccount(key: Key, item: Attributes, projectId: string): Effect | undefined {
  const { projects, revision } = parseStored(accountItem, item);
  if (!Object.hasOwn(projects, projectId)) return undefined;
  const others = Object.fromEntries(Object.entries(projects).filter(([id]) => id !== projectId));
  if (Object.keys(others).length === 0)
    return remove(key, (update: Update<typeof accountItem>) => update.whenStill('revision', revision));
  return change(key, (update: Update<typeof accountItem>) =>
    update.whenStill('revision', revision).set(['projects'], others).add('revision', 1),
  );
}

/** Removes the invitations and roles of a deleted project from these persons. Returns how many persons had any. */
export async function forgetProject(table: Table, projectId: string, persons: readonly Key[]): Promise<number> {
  let changed = 0;
  for (const key of persons) {
    const plan = readKinds(key).kind === kinds.userAccount ? planAccount : planInvitee;
    changed += await retryOptimistically(table, async () => {
      const [item] = await table.getMany([key]);
      const effect = item && plan(key, item, projectId);
      if (!effect) return 0;
      return (await commit(table, [effect])) ? 1 : again;
    });
  }
  return changed;
}
