import { again, retryOptimistically } from '../../table/conflicts.ts';
import { change, commit } from '../../table/effects.ts';
import { parseStored } from '../../table/item.ts';
import type { Key } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import { inviteeItem } from './invitation.ts';

/** Takes the invitations of a project back from these persons. Returns how many persons had one. */
export async function removeInvitations(table: Table, projectId: string, persons: readonly Key[]): Promise<number> {
  let removed = 0;
  for (const key of persons) {
    removed += await retryOptimistically(table, async () => {
      const [item] = await table.getMany([key]);
      if (!item) return 0;
      const { invitations, revision } = parseStored(inviteeItem, item);
      const others = invitations.filter(({ project_id }) => project_id !== projectId);
      if (others.length === invitations.length) return 0;
      const taken = change(key, (update) =>
        update.whenStill('revision', revision).set(['invitations'], others).add('revision', 1),
      );
      return (await commit(table, [taken])) ? 1 : again;
    });
  }
  return removed;
}
