import { describe, expect, test } from 'vitest';
import { compose } from '#kernel/http/composition.ts';
import { handler as brandHandler } from '../../../../functions/management/get-brand.ts';
import { handler as inviteHandler } from '../../../../functions/management/invite-user.ts';
import { apiEvent } from '../../../support/api-event.ts';
import { caller, lambdaContext } from '../../../support/call.ts';
import { standingClock, testDependencies, uniqueId } from '../../../support/dependencies.ts';
import { inviteeOf, uniqueEmail } from '../../../support/invitations.ts';
import { loadFile, projectFile } from '../../../support/project.ts';

const brand = {
  id: 'brd_1',
  brand: { name: 'B', privacy_policy_url: null, terms_of_use_url: null, permission_reminder: '', website_url: null },
  address: { street: '', city: '', postal: '', state: null, country: '' },
  contact: { email: '', phone: null },
  cockpits: {
    campaigns_overview_enabled: true,
    loyalty_enabled: true,
    gift_cards_enabled: true,
    coupons_enabled: true,
    referrals_enabled: true,
    use_custom_double_opt_in_redirect_url: false,
    theme: '',
    custom_double_opt_in_redirect_url: null,
  },
};

function managedFile() {
  const file = projectFile({ brands: [brand] });
  const { id } = file.project;
  return { ...file, management_keys: [{ management_id: `ops-${id}`, management_token: `secret-${id}` }] };
}

type ManagedFile = ReturnType<typeof managedFile>;

const headersOf = ({ management_keys: [key] }: ManagedFile) => ({
  'x-management-id': key?.management_id ?? '',
  'x-management-token': key?.management_token ?? '',
});

const keysOnly = () => testDependencies({ managementGuard: 'keys' });
const paramsOf = ({ project }: ManagedFile) => ({ projectId: project.id, brandingId: 'brd_1' });

const [file, other] = [managedFile(), managedFile()];
await Promise.all([loadFile(file), loadFile(other)]);

describe('management keys', () => {
  test('open their own project, and hide all others', async () => {
    const call = caller(brandHandler, keysOnly());
    expect((await call({ params: paramsOf(file), headers: headersOf(file) })).status).toBe(200);
    const foreign = await call({ params: paramsOf(other), headers: headersOf(file) });
    const unknown = await call({
      params: { projectId: uniqueId('proj_'), brandingId: 'brd_1' },
      headers: headersOf(file),
    });
    expect([foreign.status, unknown.status]).toEqual([404, 404]);
    expect(foreign.body.details).toBe(unknown.body.details);
  });

  test('invite into their own project only, and are named to the invited person', async () => {
    const call = caller(inviteHandler, keysOnly());
    const email = uniqueEmail();
    const ask = (projects: Record<string, string>) =>
      call({ headers: headersOf(file), body: { email, first_name: 'Ana', last_name: 'Lund', projects } });
    const both = await ask({ [file.project.id]: 'USER', [other.project.id]: 'USER' });
    expect([both.status, both.body.resource_id]).toEqual([404, other.project.id]);
    expect(await inviteeOf(email)).toBeUndefined();
    expect((await ask({ [file.project.id]: 'USER' })).status).toBe(204);
    expect((await inviteeOf(email))?.invitations).toMatchObject([{ invited_by: headersOf(file)['x-management-id'] }]);
  });

  test('are all refused in the same words if they are missing, incomplete or wrong', async () => {
    const { 'x-management-id': id, 'x-management-token': token } = headersOf(file);
    const [appKey] = file.app_keys;
    const refused: Record<string, string>[] = [
      {},
      { 'x-management-id': id },
      { 'x-management-token': token },
      { 'x-management-id': id, 'x-management-token': '' },
      { 'x-management-id': '', 'x-management-token': token },
      { 'x-management-id': 'nobody', 'x-management-token': token },
      { 'x-management-id': id, 'x-management-token': `${token}x` },
      { 'x-management-id': id, 'x-management-token': headersOf(other)['x-management-token'] },
      { 'x-management-id': 'x'.repeat(10_000), 'x-management-token': 'y'.repeat(10_000) },
      { 'x-management-id': appKey?.app_id ?? '', 'x-management-token': appKey?.app_token ?? '' },
      { 'x-app-id': appKey?.app_id ?? '', 'x-app-token': appKey?.app_token ?? '' },
    ];
    for (const [handler, request] of [
      [brandHandler, { params: paramsOf(file) }],
      [inviteHandler, { body: 'not looked at' }],
    ] as const) {
      const replies = await Promise.all(refused.map((headers) => caller(handler, keysOnly())({ ...request, headers })));
      expect(new Set(replies.map(({ status, body }) => `${status} ${body.key}`))).toEqual(
        new Set(['401 unauthorized']),
      );
      expect(new Set(replies.map(({ body }) => JSON.stringify({ ...body, request_id: '' }))).size).toBe(1);
    }
  });

  test('cost a refused caller one read, whichever of the two is wrong and whether the key was seen before or not', async () => {
    const dependencies = keysOnly();
    const call = caller(brandHandler, dependencies);
    const refusedCost = async (headers: Record<string, string>) => {
      await call({ params: paramsOf(file), headers });
      const { status, dynamodb_calls, write_units } = JSON.parse(dependencies.lines.at(-1) ?? '');
      return { status, dynamodb_calls, write_units };
    };
    const oneRead = { status: 401, dynamodb_calls: 1, write_units: 0 };
    const wrongToken = { ...headersOf(file), 'x-management-token': 'wrong' };
    const wrongId = { ...headersOf(file), 'x-management-id': 'wrong' };
    expect([await refusedCost(wrongToken), await refusedCost(wrongId)]).toEqual([oneRead, oneRead]);
    expect((await call({ params: paramsOf(file), headers: headersOf(file) })).status).toBe(200);
    expect([await refusedCost(wrongToken), await refusedCost(wrongId)]).toEqual([oneRead, oneRead]);
  });

  test('work with a new token at once, and not with the old one after 60 seconds', async () => {
    const own = managedFile();
    await loadFile(own);
    const clock = standingClock();
    const call = caller(brandHandler, testDependencies({ clock, managementGuard: 'keys' }));
    const status = async (headers: Record<string, string>) => (await call({ params: paramsOf(own), headers })).status;
    expect(await status(headersOf(own))).toBe(200);
    const renewed = {
      ...own,
      management_keys: own.management_keys.map((key) => ({ ...key, management_token: 'a-new-token-of-the-key' })),
    };
    await loadFile(renewed);
    expect(await status(headersOf(renewed))).toBe(200);
    clock.advance(60);
    expect(await status(headersOf(own))).toBe(401);
  });

  test('are in no line of the log; the manager is', async () => {
    const dependencies = keysOnly();
    await caller(brandHandler, dependencies)({ params: paramsOf(file), headers: headersOf(file) });
    const [line = ''] = dependencies.lines;
    const { 'x-management-id': manager, 'x-management-token': token } = headersOf(file);
    expect(JSON.parse(line)).toMatchObject({ manager, project_id: file.project.id, app_id: null });
    expect(line).not.toContain(token);
  });
});

describe('IAM', () => {
  const dependencies = () => testDependencies({ managementGuard: 'iam' });

  test('accepts callers that the gateway has accepted, by the name of the user or session', async () => {
    const { lines, ...rest } = dependencies();
    const event = apiEvent(brandHandler.route, { params: paramsOf(file) });
    const iam = { userArn: 'arn:aws:sts::123456789012:assumed-role/Support/ola' };
    const signed = { ...event, requestContext: { ...event.requestContext, authorizer: { iam } } };
    const reply = await brandHandler.with(rest)(signed, lambdaContext());
    expect(reply.statusCode).toBe(200);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ manager: 'ola' });
  });

  test('refuses a call that has not passed its authorizer, for any headers', async () => {
    const headers = { ...headersOf(file), authorization: 'AWS4-HMAC-SHA256 Credential=x' };
    const reply = await caller(brandHandler, dependencies())({ params: paramsOf(file), headers });
    expect([reply.status, reply.body.key]).toEqual([401, 'unauthorized']);
  });
});

describe('the environment of a function', () => {
  const guardOf = (env: Record<string, string>) => compose({ TABLE_NAME: 'table', ...env }).managementGuard;

  test('guards by IAM by default', () => {
    expect(guardOf({})).toBe('iam');
    expect(guardOf({ MANAGEMENT_GUARD: 'keys' })).toBe('keys');
  });

  test.each(['open', '', 'none', 'IAM'])('cannot say %j', (MANAGEMENT_GUARD) => {
    expect(() => guardOf({ MANAGEMENT_GUARD })).toThrow();
  });
});
