import { describe, expect, test } from 'vitest';
import { standingClock, testDependencies, testTime } from '../support/dependencies.ts';
import { invitationsOf, inviteeOf, inviter, loadShops, mailsTo, names, uniqueEmail } from '../support/invitations.ts';

const invite = inviter();

const [shop, cafe, areas] = await loadShops();

describe('an invitation', () => {
  test('answers 204 without a body, and stores person, project, role, time and the inviting person', async () => {
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

  test.each(['ADMIN', 'USER', 'VIEWER', 'MERCHANT', 'role_editor'])('accepts the role %s', async (role) => {
    const email = uniqueEmail();
    expect((await invite(email, { [shop.id]: role })).status).toBe(204);
    expect(await invitationsOf(email)).toEqual({ [shop.id]: role });
  });

  test('accepts USER_RESTRICTED if the project has Areas and Stores', async () => {
    expect((await invite(uniqueEmail(), { [areas.id]: 'USER_RESTRICTED' })).status).toBe(204);
  });

  test('renews time, role and name when it is repeated, and mails again; upper and lower case are the same person', async () => {
    const email = uniqueEmail();
    await invite(email, { [shop.id]: 'USER', [cafe.id]: 'USER' });
    const later = testDependencies({ clock: () => new Date('2026-07-01T00:00:00Z') });
    const spelled = email.toUpperCase();
    const repeat = await inviter(later)(spelled, { [shop.id]: 'ADMIN' }, { first_name: 'Anna' });
    expect(repeat.status).toBe(204);
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

  test('renews the role when it is repeated within an hour, and mails only for projects without a recent mail', async () => {
    const email = uniqueEmail();
    const clock = standingClock();
    const repeat = inviter(testDependencies({ clock }));
    const ask = (projects: Record<string, string>) => repeat(email, projects);
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

  test('is one mail for twenty simultaneous requests of one person to one project', async () => {
    const email = uniqueEmail();
    const asked = await Promise.all(Array.from({ length: 20 }, () => invite(email, { [shop.id]: 'USER' })));
    expect(asked.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 204));
    expect(await mailsTo(email)).toHaveLength(1);
  });

  test('ignores unknown fields', async () => {
    expect((await invite(uniqueEmail(), { [shop.id]: 'USER' }, { login: 'ana', metadata: {} })).status).toBe(204);
  });
});
