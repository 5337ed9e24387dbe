import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from 'vitest';
import { handler } from '../../functions/management/invite-user.ts';
import type { Dependencies } from '../../lib/http/composition.ts';
import { projectsById } from '../../lib/projects/project.ts';
import { newSecret } from '../../lib/projects/secret.ts';
import { insertManyLimit } from '../../lib/table/command.ts';
import { Table } from '../../lib/table/table.ts';
import { caller } from '../support/call.ts';
import { observed } from '../support/commands.ts';
import { ownTable, standingClock, testDependencies, testTime, uniqueId } from '../support/dependencies.ts';
import { invitationsOf, inviteeOf, mailsTo, uniqueEmail } from '../support/invitations.ts';
import { loadFile, loadProject, projectFile, type TestProject } from '../support/project.ts';

const names = { first_name: 'Ana', last_name: 'Lund' };
const call = caller(handler);

const invite = (email: string, projects: unknown, others: Record<string, unknown> = {}) =>
  call({ body: { email, ...names, projects, ...others } });

let shop: TestProject;
let cafe: TestProject;
let areas: TestProject;

beforeAll(async () => {
  [shop, cafe, areas] = await Promise.all([
    loadProject({ roles: [{ id: 'role_editor', name: 'Editor' }] }),
    loadProject(),
    (async () => {
      const file = projectFile();
      const project = { ...file.project, features: { areas_and_stores: true } };
      await loadFile({ ...file, project });
      return { id: project.id, credentials: {}, file };
    })(),
  ]);
});

describe('an invitation', () => {
  test('answers 204 with no body, and keeps person, project, role, time and who invites', async () => {
    const email = uniqueEmail();
    const { status, body } = await invite(email, { [shop.id]: 'ADMIN' });
    expect([status, body]).toEqual([204, '']);
    expect(await inviteeOf(email)).toEqual({
      email,
      ...names,
      invitations: [
        {
          project_id: shop.id,
          role: 'ADMIN',
          invited_at: testTime.toISOString(),
          invited_by: 'the operator of this server',
          mailed_at: testTime.toISOString(),
        },
      ],
      revision: 1,
    });
  });

  test('leaves one mail to be sent, for all of its projects', async () => {
    const email = uniqueEmail();
    await invite(email, { [shop.id]: 'role_editor', [cafe.id]: 'VIEWER' });
    expect(await mailsTo(email)).toMatchObject([
      {
        mail: {
          ...names,
          email,
          projects: [
            { project_id: shop.id, role: 'role_editor' },
            { project_id: cafe.id, role: 'VIEWER' },
          ],
        },
      },
    ]);
  });

  test.each(['ADMIN', 'USER', 'VIEWER', 'MERCHANT', 'role_editor'])('takes the role %s', async (role) => {
    const email = uniqueEmail();
    expect((await invite(email, { [shop.id]: role })).status).toBe(204);
    expect(await invitationsOf(email)).toEqual({ [shop.id]: role });
  });

  test('takes USER_RESTRICTED where the project has Areas and Stores', async () => {
    expect((await invite(uniqueEmail(), { [areas.id]: 'USER_RESTRICTED' })).status).toBe(204);
  });

  test('that is repeated renews time, role and name, and mails again; in another case it is the same person', async () => {
    const email = uniqueEmail();
    await invite(email, { [shop.id]: 'USER', [cafe.id]: 'USER' });
    const later = testDependencies({ clock: () => new Date('2026-07-01T00:00:00Z') });
    const spelled = email.toUpperCase();
    const repeat = { email: spelled, first_name: 'Anna', last_name: 'Lund', projects: { [shop.id]: 'ADMIN' } };
    expect((await caller(handler, later)({ body: repeat })).status).toBe(204);
    expect(await inviteeOf(email)).toMatchObject({
      email: spelled,
      first_name: 'Anna',
      invitations: [
        { project_id: cafe.id, role: 'USER', invited_at: testTime.toISOString() },
        { project_id: shop.id, role: 'ADMIN', invited_at: '2026-07-01T00:00:00.000Z' },
      ],
    });
    expect([(await mailsTo(email)).length, (await mailsTo(spelled)).length]).toEqual([1, 1]);
  });

  test('that is repeated within an hour renews the role, and mails only for projects that no mail was about', async () => {
    const email = uniqueEmail();
    const clock = standingClock();
    const repeat = caller(handler, testDependencies({ clock }));
    const ask = (projects: Record<string, string>) => repeat({ body: { email, ...names, projects } });
    for (let post = 0; post < 5; post++) await ask({ [shop.id]: 'USER' });
    await ask({ [shop.id]: 'ADMIN', [cafe.id]: 'USER' });
    const mailed = async () =>
      (await mailsTo(email)).map(({ mail }) =>
        (mail as { projects: { project_id: string }[] }).projects.map((one) => one.project_id),
      );
    expect((await mailed()).toSorted()).toEqual([[shop.id], [cafe.id]].toSorted());
    expect(await invitationsOf(email)).toEqual({ [shop.id]: 'ADMIN', [cafe.id]: 'USER' });
    clock.advance(3_599);
    await ask({ [shop.id]: 'ADMIN' });
    expect(await mailed()).toHaveLength(2);
    clock.advance(1);
    await ask({ [shop.id]: 'ADMIN' });
    expect(await mailed()).toHaveLength(3);
  });

  test('by twenty at once of one person to one project is one mail', async () => {
    const email = uniqueEmail();
    const asked = await Promise.all(Array.from({ length: 20 }, () => invite(email, { [shop.id]: 'USER' })));
    expect(asked.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 204));
    expect(await mailsTo(email)).toHaveLength(1);
  });

  test('passes over fields that it does not know', async () => {
    expect((await invite(uniqueEmail(), { [shop.id]: 'USER' }, { login: 'ana', metadata: {} })).status).toBe(204);
  });
});

/** A refused invitation has left nothing behind. */
async function refused(email: string, projects: unknown, others: Record<string, unknown> = {}) {
  const { status, body } = await invite(email, projects, others);
  expect(await inviteeOf(email)).toBeUndefined();
  expect(await mailsTo(email)).toEqual([]);
  return { status, key: body.key, details: body.details, resource_id: body.resource_id };
}

describe('a role that cannot be given is refused by name, with nothing written and no mail:', () => {
  test('one of three', async () => {
    const email = uniqueEmail();
    const projects = { [shop.id]: 'ADMIN', [cafe.id]: 'BOSS', [areas.id]: 'USER' };
    expect(await refused(email, projects)).toMatchObject({
      status: 400,
      key: 'used_incorrect_role',
      details: `projects.${cafe.id}: the role "BOSS" is neither one of ADMIN, USER, VIEWER, MERCHANT, USER_RESTRICTED nor the id of a custom role of this project`,
    });
  });

  test('all of them are named', async () => {
    const { details } = await refused(uniqueEmail(), { [shop.id]: 'BOSS', [cafe.id]: 'USER_RESTRICTED' });
    expect(details.split('; ')).toEqual([
      expect.stringMatching(/the role "BOSS" is neither/),
      `projects.${cafe.id}: the role USER_RESTRICTED needs the Areas and Stores feature, which this project does not have`,
    ]);
  });

  test.each(['admin', '', ' ADMIN', 'Editor', 'role_', '__proto__', 'toString', 'é'.repeat(300)])(
    '%j',
    async (role) => {
      expect(await refused(uniqueEmail(), { [shop.id]: role })).toMatchObject({
        status: 400,
        key: 'used_incorrect_role',
      });
    },
  );

  test('the custom role of another project', async () => {
    expect(await refused(uniqueEmail(), { [cafe.id]: 'role_editor' })).toMatchObject({ key: 'used_incorrect_role' });
  });

  test('a role that is none, for a project that is none', async () => {
    const { status, body } = await invite(uniqueEmail(), { [uniqueId('proj_')]: 'WIZARD' });
    expect([status, body.key]).toEqual([400, 'used_incorrect_role']);
    expect(body.details).toContain('WIZARD');
  });

  test('a wrong role beside an unknown project', async () => {
    const projects = { [uniqueId('proj_')]: 'USER', [shop.id]: 'BOSS' };
    expect(await refused(uniqueEmail(), projects)).toMatchObject({ key: 'used_incorrect_role' });
  });
});

describe('a project that is not there: 404 that names it, and nothing written', () => {
  test.each([() => uniqueId('proj_'), () => 'constructor', () => 'toString', () => 'a b/#', () => 'x'.repeat(5_000)])(
    '%s',
    async (unknown) => {
      const id = unknown();
      expect(await refused(uniqueEmail(), { [shop.id]: 'USER', [id]: 'USER' })).toMatchObject({
        status: 404,
        key: 'not_found',
        resource_id: id,
      });
    },
  );
});

describe('a body that is not right is refused, with nothing written:', () => {
  const email = uniqueEmail();
  const projects = () => ({ [shop.id]: 'USER' });
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`proj_${i}`, 'USER']));

  test.each([
    ['no e-mail', { email: undefined }, 'email is required'],
    ['an e-mail that is none', { email: 'ana' }, 'email must be an e-mail address'],
    ['an e-mail with a name', { email: 'Ana <ana@mail.example>' }, 'email must be an e-mail address'],
    ['two e-mails', { email: 'a@mail.example,b@mail.example' }, 'email must be an e-mail address'],
    [
      'an e-mail with a line break',
      { email: 'a@mail.example\r\nBcc: b@mail.example' },
      'email must be an e-mail address',
    ],
    ['an e-mail without a domain', { email: 'ana@mail' }, 'email must be an e-mail address'],
    ['an e-mail that is too long', { email: `${'a'.repeat(250)}@mail.example` }, 'email must be an e-mail address'],
    ['an e-mail that is a number', { email: 7 }, 'email must be a string'],
    ['no first name', { first_name: undefined }, 'first_name is required'],
    ['a blank first name', { first_name: ' ' }, 'first_name must not be empty'],
    ['no last name', { last_name: null }, 'last_name must be a string'],
    ['a name with a line break', { last_name: 'L\nBcc: x' }, 'last_name must be well-formed Unicode without control'],
    ['a link for a name', { first_name: 'see https://x.example' }, 'first_name must not have "://" or "www."'],
    ['a host for a name', { last_name: 'WWW.x.example' }, 'last_name must not have "://" or "www."'],
    ['a name that turns direction', { first_name: 'A\u202Ena' }, 'first_name must not have format characters'],
    ['a name with a gap of no width', { first_name: 'A\u200Bna' }, 'first_name must not have format characters'],
    ['a long name', { last_name: 'x'.repeat(101) }, 'last_name must have at most 100 characters'],
    ['no projects', { projects: undefined }, 'projects is required'],
    ['projects that are null', { projects: null }, 'projects must be an object of 1 to 200 project ids'],
    ['a list of projects', { projects: ['proj_1'] }, 'projects must be an object of 1 to 200 project ids'],
    ['an empty map', { projects: {} }, 'projects must be an object of 1 to 200 project ids'],
    ['201 projects', { projects: many(201) }, 'projects must be an object of 1 to 200 project ids'],
    ['a role that is a number', { projects: { proj_1: 7 } }, 'projects must have a text, the role, for each project'],
  ])('%s', async (_, wrong, details) => {
    const reply = await call({ body: { email, ...names, projects: projects(), ...wrong } });
    expect([reply.status, reply.body]).toMatchObject([400, { key: 'invalid_payload' }]);
    expect(reply.body.details).toContain(details);
    expect(await inviteeOf(email)).toBeUndefined();
  });

  test('all faults are told at once', async () => {
    const { body } = await call({ body: { email: 'ana', projects: {} } });
    expect(body.details.split('; ')).toHaveLength(4);
  });

  test('a project map with __proto__ as a key', async () => {
    const body = `{"email": "${email}", "first_name": "A", "last_name": "L", "projects": {"__proto__": "ADMIN", "${shop.id}": "USER"}}`;
    const reply = await call({ body, headers: { 'content-type': 'application/json' } });
    expect([reply.status, reply.body.key]).toEqual([400, 'invalid_payload']);
    expect(await inviteeOf(email)).toBeUndefined();
  });

  test('a form', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const reply = await call({ body: 'email=a', headers });
    expect([reply.status, reply.body.key]).toEqual([415, 'unsupported_media_type']);
  });
});

describe('whoever is a user of one of the projects already is refused: 409, and nothing written', () => {
  test('in any spelling of the e-mail', async () => {
    const email = uniqueEmail();
    const user = { email, first_name: 'Ana', last_name: 'Lund', role: 'USER' };
    const project = await loadProject({ users: [user] });
    for (const spelled of [email, email.toUpperCase()]) {
      const { status, body } = await invite(spelled, { [shop.id]: 'USER', [project.id]: 'ADMIN' });
      expect([status, body]).toMatchObject([409, { key: 'duplicate_found', resource_id: project.id }]);
      expect(body.details).toContain(`projects.${project.id}`);
    }
    expect(await invitationsOf(email)).toEqual({});
    expect(await mailsTo(email)).toEqual([]);
    expect((await invite(email, { [shop.id]: 'USER' })).status).toBe(204);
  });
});

/** The table's client, with something that happens just before the first transaction. */
function interrupted(dependencies: Dependencies, happen: () => Promise<unknown>): Dependencies {
  let open = true;
  const send = async (command: unknown, ...rest: unknown[]) => {
    if (open && command instanceof TransactWriteCommand) {
      open = false;
      await happen();
    }
    return (dependencies.dynamodb.send as (...all: unknown[]) => Promise<unknown>)(command, ...rest);
  };
  const dynamodb = Object.assign(Object.create(dependencies.dynamodb), { send });
  return { ...dependencies, dynamodb };
}

describe('at the same time', () => {
  test('twenty invitations of one person to projects of their own all hold', async () => {
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

  test('what others keep changing is told as 429, and nothing is written', async () => {
    const email = uniqueEmail();
    const dependencies = testDependencies({ patienceInMs: 300 });
    const dynamodb = observed(dependencies.dynamodb, {
      before: ({ name }) => {
        if (name !== 'TransactWriteCommand') return;
        const CancellationReasons = [{ Code: 'ConditionalCheckFailed' }, { Code: 'None' }];
        throw new TransactionCanceledException({ message: 'cancelled', $metadata: {}, CancellationReasons });
      },
    });
    const { status, headers, body } = await caller(handler, { ...dependencies, dynamodb })({
      body: { email, ...names, projects: { [shop.id]: 'USER' } },
    });
    expect([status, body.key, headers['Retry-After']]).toEqual([429, 'too_many_requests', '1']);
    expect([await invitationsOf(email), await mailsTo(email)]).toEqual([{}, []]);
  });

  test('a person who becomes a user between the check and the write is refused', async () => {
    const email = uniqueEmail();
    const file = projectFile();
    await loadFile(file);
    const users = [{ email, first_name: 'Ana', last_name: 'Lund', role: 'USER' }];
    const racing = interrupted(testDependencies(), () => loadFile({ ...file, users }));
    const body = { email, ...names, projects: { [shop.id]: 'USER', [file.project.id]: 'USER' } };
    const reply = await caller(handler, racing)({ body });
    expect([reply.status, reply.body.key]).toEqual([409, 'duplicate_found']);
    expect([await invitationsOf(email), await mailsTo(email)]).toEqual([{}, []]);
  });
});

test('200 projects are one write: all, or none when one of them is not right', async () => {
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
  const ask = (wanted: Record<string, string>) =>
    caller(handler, dependencies)({ body: { email, ...names, projects: wanted } });

  const refusal = await ask({ ...roles, [last?.id ?? '']: 'BOSS' });
  expect([refusal.status, refusal.body.key]).toEqual([400, 'used_incorrect_role']);
  expect(await inviteeOf(email, dependencies)).toBeUndefined();

  expect((await ask(roles)).status).toBe(204);
  expect((await inviteeOf(email, dependencies))?.invitations).toHaveLength(200);
  expect(await mailsTo(email, dependencies)).toHaveLength(1);
});
