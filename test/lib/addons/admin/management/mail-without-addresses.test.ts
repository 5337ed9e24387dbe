import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { writeInvitationMail } from '#addons/admin/management/invitation-mail.ts';
import type { Mail } from '#kernel/core/mail/mail.ts';
import { handler } from '../../../../../functions/management/invite-user.ts';
import { caller } from '../../../../support/call.ts';
import { testDependencies } from '../../../../support/dependencies.ts';
import { mailsTo, names, uniqueEmail } from '../../../../support/invitations.ts';
import { manageProjects } from '../../../../support/managed-projects.ts';
import { deliver } from '../../../../support/outbox.ts';
import { loadProject } from '../../../../support/project.ts';

const to = 'ana@mail.example';

describe('an invitation has no address in any name, so that no mail of the operator leads to a page of another person:', () => {
  const hidden = '\u200b';
  test.each([
    ['https://evil.example/pay', 'https evil example pay'],
    ['Win at evil.example now', 'Win at evil example now'],
    ['пример.рф', 'пример рф'],
    ['evil\u3002example', 'evil example'],
    ['evil\uff0eexample', 'evil example'],
    ['evil\uff61example', 'evil example'],
    [`evil${hidden}.${hidden}example`, 'evil example'],
    ['a.b.evil.example', 'a.b evil example'],
    ['ana@mail', 'ana mail'],
    ['tel:+4712345678', 'tel +4712345678'],
    ['evil\\share', 'evil share'],
    ['\u202elmth.live', 'lmth live'],
    ['J.R. Moe & Co. No. 5', 'J.R. Moe & Co. No. 5'],
    ['Café № 1…', 'Café № 1…'],
  ])('%s', (name, shown) => {
    const { subject, text, html } = writeInvitationMail({
      ...{ to, name, invitedBy: name },
      projects: [{ name, role: name }],
    });
    expect(subject).toBe(`${shown} invites you to ${shown}`);
    const lines = [`Hello ${shown},`, `${shown} invites you to this project:`, `- ${shown}, in the role ${shown}`];
    expect(text.split('\n')).toEqual(expect.arrayContaining(lines));
    expect(html).toContain(`<p>Hello ${shown.replace('&', '&amp;')},</p>`);
  });

  test('whatever the names are', () => {
    const signs = fc.constantFrom('.', '。', '．', '@', '/', ':', '\\', hidden, ' ', 'a', 'é', '7', '-', '℀', '⒈', '…');
    const name = fc.oneof(
      fc.array(signs).map((all) => all.join('')),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(name, name, (first, second) => {
        const { subject } = writeInvitationMail({
          ...{ to, name: first, invitedBy: first },
          projects: [{ name: second, role: second }],
        });
        const plain = subject.normalize('NFKC').replaceAll('。', '.');
        expect(plain).not.toMatch(/[@/\\:]|[\p{L}\p{M}\p{N}-]\.[\p{L}\p{M}\p{N}-]{2}/u);
      }),
    );
  });
});

test('the worker mails no address of a project or a custom role, which a project file or a request has named', async () => {
  const email = uniqueEmail();
  const evil = 'Log in at evil.example/pay';
  const project = await loadProject({ roles: [{ id: 'role_evil', name: `Editor: ${evil}` }] });
  expect((await manageProjects().update(project.id, { name: `${evil} ${project.id}` })).status).toBe(200);
  await caller(handler)({ body: { email, ...names, projects: { [project.id]: 'role_evil' } } });
  const sent: Mail[] = [];
  const sendMail = async (mail: Mail) => void sent.push(mail);
  await deliver(await mailsTo(email), testDependencies(), { sendMail });
  expect(sent).toHaveLength(1);
  expect(sent[0]?.text).toContain(
    `- Log in at evil example pay ${project.id}, in the role Editor Log in at evil example pay`,
  );
  expect(JSON.stringify(sent)).not.toContain('evil.example');
});
