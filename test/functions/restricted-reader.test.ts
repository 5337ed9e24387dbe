import { expect, test } from 'vitest';
import { handler as getCampaign } from '../../functions/campaigns/get-campaign.ts';
import { handler as listCampaigns } from '../../functions/campaigns/list-campaigns.ts';
import { handler as getProgramme } from '../../functions/loyalties/get-loyalty-campaign.ts';
import { handler as listProgrammes } from '../../functions/loyalties/list-loyalty-campaigns.ts';
import { handler as issue } from '../../functions/oauth/issue-token.ts';
import { caller } from '../support/call.ts';
import { programme } from '../support/loyalty.ts';
import { loadProject } from '../support/project.ts';
import { bearer, form } from '../support/tokens.ts';
import { entryOf, newUser } from '../support/users.ts';

/** A user who is restricted to areas and stores reads campaigns, and each says that it is read-only for the user. */

const roles = ['USER_RESTRICTED', 'USER'] as const;
const users = roles.map((role) => [newUser(), role] as const);
const project = await loadProject({
  users: users.map(([user, role]) => entryOf(user, role)),
  campaigns: [programme('camp_club')],
});

async function tokenOf(role: (typeof roles)[number]) {
  const [user] = users.find(([, own]) => own === role) ?? [];
  const body = new URLSearchParams({ grant_type: 'client_credentials', scope: 'api', user_id: user?.id ?? '' });
  const reply = await caller(issue)({ headers: { ...project.credentials, ...form }, body: body.toString() });
  expect(reply.status).toBe(200);
  return bearer(reply.body.access_token);
}

test.each([
  ['USER_RESTRICTED', true],
  ['USER', undefined],
] as const)('a %s reads campaigns with readonly %s, alone and in lists', async (role, expected) => {
  const headers = await tokenOf(role);
  const params = { campaignId: 'camp_club' };
  const single = [await caller(getCampaign)({ headers, params }), await caller(getProgramme)({ headers, params })];
  const lists = [await caller(listCampaigns)({ headers }), await caller(listProgrammes)({ headers })];
  const [all, programmes] = lists;
  const shown = [...single.map(({ body }) => body), all?.body.campaigns[0], programmes?.body.campaigns[0]];
  expect(shown.map((one) => [one.id, one.readonly])).toEqual(Array.from({ length: 4 }, () => ['camp_club', expected]));
});

test('a server key reads campaigns without readonly', async () => {
  const { body } = await caller(getCampaign)({ headers: project.credentials, params: { campaignId: 'camp_club' } });
  expect(body).not.toHaveProperty('readonly');
});
