import type { Table } from '../dynamodb.ts';
import { keys } from '../table.ts';
import { UpdateExpression } from '../update-expression.ts';
import { inBatches } from './batches.ts';
import type { CheckedFile } from './check.ts';

/** Transactions on the way at once; a project has few users. */
const usersAtOnce = 8;

/**
 * Makes the file's users. With each that is new the revision of the person's invitations moves in the same transaction:
 * an invitation to the project that is under way has not seen the user, and is refused for it.
 */
export async function upsertUsers(table: Table, { project, short }: CheckedFile): Promise<void> {
  for await (const batch of inBatches(short.users, usersAtOnce)) {
    await Promise.all(
      batch.map(async (user) => {
        const key = keys.user(project.id, user.email);
        const { done } = await table.transact([
          { key, insert: user },
          { key: keys.invitee(user.email), change: new UpdateExpression().add('revision', 1).build() },
        ]);
        if (done) return;
        const update = new UpdateExpression();
        for (const [name, value] of Object.entries(user)) update.set([name], value);
        await table.change(key, update.whenThere().build());
      }),
    );
  }
}
