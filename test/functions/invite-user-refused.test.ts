import { describe, expect, test } from 'vitest';
import { handler } from '../../functions/management/invite-user.ts';
import { caller } from '../support/call.ts';
import { uniqueId } from '../support/dependencies.ts';
import { invitationsOf, inviteeOf, inviter, loadShops, mailsTo, uniqueEmail } from '../support/invitations.ts';
import { loadProject } from '../support/project.ts';

const call = caller(handler);
const invite = inviter();

const [shop, cafe, areas] = await loadShops();

/** Checks that a refused invitation has stored nothing. */
async function refused(email: string, projects: unknown, others: Record<string, unknown> = {}) {
  const { status, body } = await invite(email, projects, others);
  expect(await inviteeOf(email)).toBeUndefined();
  expect(await mailsTo(email)).toEqual([]);
  return { status, key: body.key, details: body.details, resource_id: body.resource_id };
}

describe('an impossible role is refused by name, with nothing written and no mail:', () => {
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

  test("another project's custom role", async () => {
    expect(await refused(uniqueEmail(), { [cafe.id]: 'role_editor' })).toMatchObject({ key: 'used_incorrect_role' });
  });

  test('an unknown role, for an unknown project', async () => {
    const { status, body } = await invite(uniqueEmail(), { [uniqueId('proj_')]: 'WIZARD' });
    expect([status, body.key]).toEqual([400, 'used_incorrect_role']);
    expect(body.details).toContain('WIZARD');
  });

  test('a wrong role beside an unknown project', async () => {
    const projects = { [uniqueId('proj_')]: 'USER', [shop.id]: 'BOSS' };
    expect(await refused(uniqueEmail(), projects)).toMatchObject({ key: 'used_incorrect_role' });
  });
});

describe('a missing project is a 404 that names it, and nothing is written', () => {
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

describe('a wrong body is refused, and nothing is written:', () => {
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
    [
      'a link for a name',
      { first_name: 'see https://x.example' },
      'first_name must not have text that a mail program turns into a link',
    ],
    ...[
      ['an address of the web', 'evil.example/pay'],
      ['a domain', 'Win at evil.example now'],
      ['a domain of other letters', 'пример.рф'],
      ['a domain with another dot', 'evil。example'],
      ['a domain with a wide dot', 'evil．example'],
      ['an address of mail', 'ana@mail'],
      ['a scheme', 'tel:+4712345678'],
      ['a path', 'evil\\share'],
    ].map(([what, first_name]): [string, Record<string, unknown>, string] => [
      `${what} for a name`,
      { first_name },
      'first_name must not have text that a mail program turns into a link',
    ]),
    [
      'a host for a name',
      { last_name: 'WWW.x.example' },
      'last_name must not have text that a mail program turns into a link',
    ],
    [
      'a name that turns direction',
      { first_name: 'A\u202Ena' },
      'first_name must not have invisible format characters, such as U+200B',
    ],
    [
      'a name with a gap of no width',
      { first_name: 'A\u200Bna' },
      'first_name must not have invisible format characters, such as U+200B',
    ],
    ['a long name', { last_name: 'x'.repeat(101) }, 'last_name must have at most 100 characters'],
    ['no projects', { projects: undefined }, 'projects is required'],
    ['projects that are null', { projects: null }, 'projects must be an object of 1 to 200 project ids'],
    ['a list of projects', { projects: ['proj_1'] }, 'projects must be an object of 1 to 200 project ids'],
    ['an empty map', { projects: {} }, 'projects must be an object of 1 to 200 project ids'],
    ['201 projects', { projects: many(201) }, 'projects must be an object of 1 to 200 project ids'],
    ['a role that is a number', { projects: { proj_1: 7 } }, 'projects must have a text, the role, for each project'],
  ])('%s', async (_, wrong, details) => {
    const reply = await invite(email, projects(), wrong);
    expect([reply.status, reply.body]).toMatchObject([400, { key: 'invalid_payload' }]);
    expect(reply.body.details).toContain(details);
    const sent = String(Object(wrong).email ?? email);
    expect(await inviteeOf(sent)).toBeUndefined();
    expect(await mailsTo(sent)).toEqual([]);
  });

  test('all faults are reported at once', async () => {
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

describe('a user of one of the projects is refused with 409, and nothing is written', () => {
  test('with any spelling of the e-mail', async () => {
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
