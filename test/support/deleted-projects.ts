import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { projectDeletions } from '#addons/admin/management/projects.ts';
import { projectsById } from '#kernel/access/projects/project.ts';
import { CredentialCache } from '#kernel/http/credential-cache.ts';
import { Table } from '#kernel/table/table.ts';
import { ownTable, standingClock, testDependencies, testTime } from './dependencies.ts';
import { manageProjects } from './managed-projects.ts';
import { deliver } from './outbox.ts';

type Item = Record<string, unknown>;

/** Makes a separate table, with one container whose clock the test sets. */
export async function newDeletionWorld() {
  const tableName = await ownTable();
  const clock = standingClock();
  const dependencies = { ...testDependencies({ tableName }), clock, credentialCache: new CredentialCache() };
  const own = manageProjects(dependencies);
  const table = new Table(dependencies.dynamodb, tableName, testTime);
  async function all(): Promise<Item[]> {
    const items: Item[] = [];
    let start: Item | undefined;
    do {
      const input = { TableName: tableName, ConsistentRead: true, ...(start ? { ExclusiveStartKey: start } : {}) };
      const page = await dependencies.dynamodb.send(new ScanCommand(input));
      items.push(...(page.Items ?? []));
      start = page.LastEvaluatedKey;
    } while (start);
    return items;
  }
  /** Returns the items that name the project, without its tombstone and the job of its deletion. */
  async function left(projectId: string): Promise<Item[]> {
    const kept = [projectsById(projectId), projectDeletions(projectId)].map((key) => key.pk);
    const items = (await all()).filter(({ pk }) => !kept.includes(String(pk)));
    return items.filter((item) => JSON.stringify(item).includes(projectId));
  }
  const job = async (projectId: string): Promise<Item> => {
    const [item] = await table.getMany([projectDeletions(projectId)]);
    return item ?? {};
  };
  /** Runs the job as queue and clock would, until it ends. */
  async function finish(projectId: string): Promise<void> {
    for (let run = 0; run < 100; run++) {
      const open = await job(projectId);
      if (open.state !== 'OPEN') return;
      await deliver([open], dependencies);
      clock.advance(900);
    }
    throw new Error('the deletion of the project does not end');
  }
  return { dependencies, clock, own, table, all, left, job, finish, tableName };
}
