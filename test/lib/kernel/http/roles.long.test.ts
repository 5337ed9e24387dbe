import { describe, expect, test } from 'vitest';
import { roleNames } from '#kernel/access/users/roles.ts';
import { findPathScope } from '#kernel/http/authentication.ts';
import { canTakeTokens, paramsIn } from '#kernel/http/route.ts';
import { handler as createCategory } from '../../../../functions/categories/create-category.ts';
import { handler as listCategories } from '../../../../functions/categories/list-categories.ts';
import { handler as introspect } from '../../../../functions/oauth/introspect-token.ts';
import { handler as issue } from '../../../../functions/oauth/issue-token.ts';
import { type Operation, operations } from '../../../../infra/operations.ts';
import { caller } from '../../../support/call.ts';
import { coldDependencies, standingClock, testDependencies } from '../../../support/dependencies.ts';
import { loadProject } from '../../../support/project.ts';
import { bearer, form } from '../../../support/tokens.ts';
import { entryOf, loadTeam, newUser, type TestUser, usersOf } from '../../../support/users.ts';

const roles = [...roleNames, 'role_editor'];

const users = new Map<string, TestUser>();

const userIn = (role: string) => users.get(role) ?? newUser();

function ask(scope: string, userId: string, headers = project.credentials) {
  const body = new URLSearchParams({ grant_type: 'client_credentials', scope, user_id: userId }).toString();
  return caller(issue)({ headers: { ...headers, ...form }, body });
}

for (const role of roles) users.set(role, newUser());
const project = await loadProject({
  project: { id: `proj_${newUser().id.slice(-12)}`, name: 'Test', features: { areas_and_stores: true } },
  roles: [{ id: 'role_editor', name: 'Editor' }],
  users: [...users].map(([role, user]) => entryOf(user, role)),
});

const tillFamilies = ['orders', 'qualifications', 'redemptions', 'validations'];
const tillReads = ['SKUs', 'customers', 'locations', 'loyalties', 'products', 'promotions', 'vouchers'];
const deskFamilies = [...tillFamilies, 'customers', 'events', 'publications', 'vouchers'];
const serverFamily: Record<string, string> = {
  client_customers: 'customers',
  client_events: 'events',
  client_promotions: 'promotions',
  client_publish: 'publications',
  client_qualifications: 'qualifications',
  client_redeem: 'redemptions',
  client_redemptions: 'redemptions',
  client_validate: 'validations',
  client_validations: 'validations',
  client_vouchers: 'vouchers',
};

/** Says by hand what each role may do, so that the table in the code is held against it. */
const allowed: Record<string, (family: string, writes: boolean) => boolean> = {
  ADMIN: () => true,
  USER: (family, writes) => !writes || !['metadata-schemas', 'trash-bin'].includes(family),
  VIEWER: (_, writes) => !writes,
  role_editor: (_, writes) => !writes,
  MERCHANT: (family, writes) => tillFamilies.includes(family) || (!writes && tillReads.includes(family)),
  USER_RESTRICTED: (family, writes) =>
    deskFamilies.includes(family) || (!writes && !['exports', 'trash-bin'].includes(family)),
};

const opened = operations.filter(({ route }) => canTakeTokens(route));

function isAllowed({ route }: Operation, role: string): boolean {
  const scope = findPathScope(route);
  // A GET that writes is a write: a VIEWER must not publish a code by an address.
  const writes = route.access === 'write';
  return allowed[role]?.(serverFamily[scope] ?? scope, writes) ?? false;
}

describe("a token for a user opens what the user's role allows, and nothing else:", () => {
  test.each(roles)('%s', async (role) => {
    const dependencies = testDependencies();
    const tokens = new Map<string, string>();
    for (const scope of ['api', 'client_api']) {
      const { status, body } = await ask(scope, userIn(role).id);
      expect(status).toBe(200);
      tokens.set(scope, body.access_token);
    }
    const answers = new Map<string, boolean>();
    for (const operation of opened) {
      const token = tokens.get(operation.route.authentication === 'client' ? 'client_api' : 'api') ?? '';
      const params = Object.fromEntries(paramsIn(operation.route.path).map((name) => [name, 'none']));
      const { status, body } = await caller(operation.handler, dependencies)({ headers: bearer(token), params });
      expect(status, operation.name).not.toBe(401);
      answers.set(operation.name, body?.key !== 'insufficient_scope');
    }
    expect(Object.fromEntries(answers)).toEqual(
      Object.fromEntries(opened.map((operation) => [operation.name, isAllowed(operation, role)])),
    );
  });
});

describe('a token request for a user', () => {
  test('gets the scopes that the role allows, and the reply names the user', async () => {
    const { id } = userIn('MERCHANT');
    const { status, body } = await ask('api exports client_api', id);
    expect([status, body.user_id]).toEqual([200, id]);
    const scopes: string[] = body.scope.split(' ');
    expect(scopes.filter((scope) => !scope.startsWith('client_')).toSorted()).toEqual(
      [...tillFamilies, ...tillReads].toSorted(),
    );
    expect(scopes).toContain('client_redeem');
    expect(scopes).not.toContain('client_publish');
    const { body: seen } = await caller(introspect)({
      headers: { ...project.credentials, ...form },
      body: new URLSearchParams({ access_token: body.access_token }).toString(),
    });
    expect(seen).toMatchObject({ active: true, user_id: id, scope: body.scope });
    expect((await ask('api', userIn('VIEWER').id)).body.scope).toBe('api');
  });

  test('is refused for a user of another project, an unknown user, and scopes that the role does not open', async () => {
    const other = newUser();
    await loadTeam([[other, 'ADMIN']]);
    for (const id of [other.id, newUser().id, '']) {
      const { status, body } = await ask('api', id);
      expect([status, body.key]).toEqual([400, 'user_not_assigned']);
    }
    const { status, body } = await ask('exports trash-bin', userIn('MERCHANT').id);
    expect([status, body.key]).toEqual([400, 'invalid_scope']);
  });
});

describe('a token for a user follows', () => {
  async function issued(role: string) {
    const [user, owner] = [newUser(), newUser()];
    const team = await loadTeam([
      [user, role],
      [owner, 'ADMIN'],
    ]);
    await loadTeam([[user, 'USER']]);
    const { body } = await ask('api', user.id, team.credentials);
    return { user, team, token: bearer(body.access_token), text: body.access_token };
  }
  const body = { name: 'Shelf', hierarchy: 1 };

  test('a new role of the user within a minute', async () => {
    const { user, team, token } = await issued('USER');
    const clock = standingClock();
    const dependencies = coldDependencies({ clock });
    const create = () => caller(createCategory, dependencies)({ headers: token, body });
    expect((await create()).status).toBe(200);
    expect((await usersOf(team.id).update(user.id, 'VIEWER')).status).toBe(200);
    clock.advance(60);
    const refused = await create();
    expect([refused.status, refused.body.key]).toEqual([403, 'insufficient_scope']);
    expect(refused.body.details).toContain('VIEWER');
    expect(refused.headers['WWW-Authenticate']).toContain('insufficient_scope');
    expect((await caller(listCategories, dependencies)({ headers: token })).status).toBe(200);
  });

  test('the removal of the user within a minute, and introspection at once', async () => {
    const { user, team, token, text } = await issued('ADMIN');
    const clock = standingClock();
    const dependencies = coldDependencies({ clock });
    const list = () => caller(listCategories, dependencies)({ headers: token });
    expect((await list()).status).toBe(200);
    expect((await usersOf(team.id).remove(user.id)).status).toBe(204);
    const shown = await caller(
      introspect,
      coldDependencies(),
    )({
      headers: { ...team.credentials, ...form },
      body: new URLSearchParams({ access_token: text }).toString(),
    });
    expect(shown.body).toEqual({ active: false });
    clock.advance(60);
    expect((await list()).status).toBe(401);
  });

  test('no user, if it was issued for none: its calls cost no further read', async () => {
    const team = await loadTeam([]);
    const plain = new URLSearchParams({ grant_type: 'client_credentials', scope: 'categories' }).toString();
    const { body: token } = await caller(issue)({ headers: { ...team.credentials, ...form }, body: plain });
    const { token: withUser } = await issued('USER');
    const callsOf = async (headers: Record<string, string>) => {
      const dependencies = coldDependencies();
      expect((await caller(listCategories, dependencies)({ headers })).status).toBe(200);
      return JSON.parse(dependencies.lines.at(-1) ?? '').dynamodb_calls;
    };
    expect(await callsOf(withUser)).toBe((await callsOf(bearer(token.access_token))) + 1);
  });
});
