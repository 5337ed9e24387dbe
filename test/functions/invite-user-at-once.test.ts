import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from 'vitest';
import { projectsById } from '#kernel/access/projects/project.ts';
import { newSecret } from '#kernel/access/projects/secret.ts';
import { insertManyLimit } from '#kernel/table/command.ts';
import { Table } from '#kernel/table/table.ts';
import { observed } from '../support/commands.ts';
import { ownTable, testDependencies, testTime, uniqueId } from '../support/dependencies.ts';
import { invitationsOf, inviteeOf, inviter, mailsTo, uniqueEmail } from '../support/invitations.ts';
import { loadFile, loadProject, projectFile } from '../support/project.ts';

const invite = inviter();

const [shop, cafe] = await Promise.all([loadProject(), loadProject()]);

describe('at the same time', () => {
  test('twenty invitations of one person to different projects all succeed', async () => {
    const email = uniqueEmail();
    const projects = await Promise.all(Array.from({ length: 20 }, () => loadProject()));
    const replies = await Promise.all(projects.map(({ id }) => invite(email, { [id]: 'USER' })));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([204]));
    expect(await invitationsOf(email)).toEqual(Object.fromEntries(projects.map(({ id }) => [id, 'USER'])));
    expect(await mailsTo(email)).toHaveLength(20);
  });

  test('two invitations of one person to the same projects end with the roles of one of them', async () => {
    const email = uniqueEmail();
    const roles = ['USER', 'ADMIN'];
    await Promise.all(roles.map((role) => invite(email, { [shop.id]: role, [cafe.id]: role })));
    const ended = Object.values(await invitationsOf(email));
    expect(ended).toHaveLength(2);
    expect(new Set(ended).size).toBe(1);
  });

  test('lasting conflicts with other changes end as 429, and nothing is written', async () => {
    const email = uniqueEmail();
    const dependencies = testDependencies({ patienceInMs: 300 });
    const dynamodb = observed(dependencies.dynamodb, {
      before: ({ name }) => {
        if (name !== 'TransactWriteCommand') return;
        const CancellationReasons = [{ Code: 'ConditionalCheckFailed' }, { Code: 'None' }];
        throw new TransactionCanceledException({ message: 'cancelled', $metadata: {}, CancellationReasons });
      },
    });
    const { status, headers, body } = await inviter({ ...dependencies, dynamodb })(email, { [shop.id]: 'USER' });
    expect([status, body.key, headers['Retry-After']]).toEqual([
      429,
      'too_many_requests',
      expect.stringMatching(/^[1-3]$/),
    ]);
    expect([await invitationsOf(email), await mailsTo(email)]).toEqual([{}, []]);
  });

  test('a person who becomes a user between the check and the write is refused', async () => {
    const email = uniqueEmail();
    const file = projectFile();
    await loadFile(file);
    const users = [{ email, first_name: 'Ana', last_name: 'Lund', role: 'USER' }];
    const dependencies = testDependencies();
    const dynamodb = observed(dependencies.dynamodb, {
      before: ({ name }) => name === 'TransactWriteCommand' && loadFile({ ...file, users }),
    });
    const racing = inviter({ ...dependencies, dynamodb });
    const reply = await racing(email, { [shop.id]: 'USER', [file.project.id]: 'USER' });
    expect([reply.status, reply.body.key]).toEqual([409, 'duplicate_found']);
    expect([await invitationsOf(email), await mailsTo(email)]).toEqual([{}, []]);
  });
});

test('200 projects are one write: all, or none if one of them is wrong', async () => {
  const dependencies = testDependencies({ tableName: await ownTable() });
  const table = new Table(dependencies.dynamodb, dependencies.tableName, testTime);
  const projects = Array.from({ length: 200 }, () => ({ id: uniqueId('proj_') }));
  const items = projects.map(({ id }) => ({
    key: projectsById(id),
    item: { id, name: 'Test', secret: newSecret(), created_at: testTime.toISOString() },
  }));
  for (let first = 0; first < items.length; first += insertManyLimit) {
    await table.insertMany(items.slice(first, first + insertManyLimit));
  }
  const email = uniqueEmail();
  const roles = Object.fromEntries(projects.map(({ id }) => [id, 'USER']));
  const [last] = projects.slice(-1);
  const ask = inviter(dependencies);

  const refusal = await ask(email, { ...roles, [last?.id ?? '']: 'BOSS' });
  expect([refusal.status, refusal.body.key]).toEqual([400, 'used_incorrect_role']);
  expect(await inviteeOf(email, dependencies)).toBeUndefined();

  expect((await ask(email, roles)).status).toBe(204);
  expect((await inviteeOf(email, dependencies))?.invitations).toHaveLength(200);
  expect(await mailsTo(email, dependencies)).toHaveLength(1);
});
