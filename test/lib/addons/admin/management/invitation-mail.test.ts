import { describe, expect, test } from 'vitest';
import { writeInvitationMail } from '#addons/admin/management/invitation-mail.ts';
import type { Mail } from '#kernel/core/mail/mail.ts';
import { jobItem, maxAttempts } from '#kernel/kit/jobs/job.ts';
import { resumeJob } from '#kernel/kit/jobs/operate.ts';
import { parseStored } from '#kernel/table/item.ts';
import { indexed, keyOf } from '#kernel/table/keys.ts';
import { Table } from '#kernel/table/table.ts';
import { handler } from '../../../../../functions/management/invite-user.ts';
import { logMail } from '../../../../../infra/local/log-mail.ts';
import { caller } from '../../../../support/call.ts';
import { testDependencies, testTime } from '../../../../support/dependencies.ts';
import { invitationsOf, mailsTo, uniqueEmail } from '../../../../support/invitations.ts';
import { deliver } from '../../../../support/outbox.ts';
import { loadProject } from '../../../../support/project.ts';

const one = { to: 'ana@mail.example', name: 'Ana Lund', invitedBy: 'ola', projects: [{ name: 'Shop', role: 'ADMIN' }] };
const projectsNamed = (...names: string[]) => names.map((name) => ({ name, role: 'USER' }));

describe('an invitation mail', () => {
  test('names project, role and inviting person, in plain text and in HTML', () => {
    expect(writeInvitationMail(one)).toEqual({
      to: 'ana@mail.example',
      subject: 'ola invites you to Shop',
      text: `Hello Ana Lund,

ola invites you to this project:

- Shop, in the role ADMIN

If you did not expect this invitation, you need not do anything.
`,
      html: `<!doctype html><html lang="en"><head><meta charset="utf-8"></head><body>
<p>Hello Ana Lund,</p>
<p>ola invites you to this project:</p>
<ul>
<li><strong>Shop</strong>, in the role ADMIN</li>
</ul>
<p>If you did not expect this invitation, you need not do anything.</p>
</body></html>
`,
    });
  });

  test.each([
    [['Shop', 'Café'], 'ola invites you to Shop and another project'],
    [['Shop', 'Café', 'Till'], 'ola invites you to Shop and 2 other projects'],
  ])('to %j lists all of them in its text and the first in its subject', (names, subject) => {
    const mail = writeInvitationMail({ ...one, projects: projectsNamed(...names) });
    expect(mail.subject).toBe(subject);
    for (const name of names) {
      expect(mail.text).toContain(`- ${name}, in the role USER`);
      expect(mail.html).toContain(`<strong>${name}</strong>, in the role USER`);
    }
  });

  test('shows names as text: neither as markup nor as lines of a mail', () => {
    const name = `<img src=x onerror="a('b')"> & co\r\nBcc: all@mail.example`;
    const { subject, text, html } = writeInvitationMail({
      ...one,
      name,
      invitedBy: name,
      projects: projectsNamed(name),
    });
    expect(subject).not.toMatch(/[\r\n]/);
    expect(text).not.toMatch(/^Bcc/m);
    expect(html).not.toContain('<img');
    expect(html).toContain('&lt;img src=x onerror=&quot;a(&#39;b&#39;)&quot;&gt; &amp; co Bcc all mail example');
  });

  test('cuts a name that is too long to be read', () => {
    const { subject } = writeInvitationMail({ ...one, projects: projectsNamed('x'.repeat(5_000)) });
    expect(subject).toBe(`ola invites you to ${'x'.repeat(100)}…`);
  });
});

const names = { first_name: 'Ana', last_name: 'Lund' };

/** Returns the jobs of these people's invitations, each with its project and role. */
async function invited(...emails: string[]) {
  const project = await loadProject({ roles: [{ id: 'role_editor', name: 'Campaign editor' }] });
  const call = caller(handler);
  for (const email of emails) await call({ body: { email, ...names, projects: { [project.id]: 'role_editor' } } });
  const waiting = await Promise.all(emails.map((email) => mailsTo(email)));
  return { project, jobs: waiting.flat() };
}

function postbox() {
  const sent: Mail[] = [];
  return { sent, sendMail: async (mail: Mail) => void sent.push(mail) };
}

describe('the worker', () => {
  test('mails an invitation with the names of project and role, and deletes the job', async () => {
    const email = uniqueEmail();
    const { jobs } = await invited(email);
    const { sent, sendMail } = postbox();
    expect(await deliver(jobs, testDependencies(), { sendMail })).toEqual({ batchItemFailures: [] });
    expect(sent).toEqual([
      writeInvitationMail({
        to: email,
        name: 'Ana Lund',
        invitedBy: 'the operator of this server',
        projects: [{ name: 'Test', role: 'Campaign editor' }],
      }),
    ]);
    expect(await mailsTo(email)).toEqual([]);
    expect(Object.values(await invitationsOf(email))).toEqual(['role_editor']);
  });

  test('mails it once when the record is delivered again', async () => {
    const { jobs } = await invited(uniqueEmail());
    const { sent, sendMail } = postbox();
    for (let delivery = 0; delivery < 3; delivery++) {
      await deliver(jobs, testDependencies(), { sendMail });
    }
    expect(sent).toHaveLength(1);
  });

  test('sends a refused mail later, and stores no other', async () => {
    const [ana, bob, eve] = [uniqueEmail(), uniqueEmail(), uniqueEmail()];
    const { jobs } = await invited(ana, bob, eve);
    const { sent, sendMail } = postbox();
    const dependencies = testDependencies();
    const failing = async (mail: Mail) => {
      if (mail.to === bob) throw new Error('the address is not taken');
      await sendMail(mail);
    };
    expect(await deliver(jobs, dependencies, { sendMail: failing })).toEqual({ batchItemFailures: [] });
    expect(dependencies.queues.messages).toEqual([{ queue: 'mail', key: keyOf(jobs[1] ?? {}), delayInS: 2 }]);
    expect(sent.map(({ to }) => to).sort()).toEqual([ana, eve].sort());
    expect(await mailsTo(bob)).toHaveLength(1);
    expect(dependencies.lines.map((line) => JSON.parse(line).level).sort()).toEqual(['error', 'info', 'info']);

    expect(await deliver(jobs, dependencies, { sendMail })).toEqual({ batchItemFailures: [] });
    expect(sent.map(({ to }) => to).sort()).toEqual([ana, bob, eve].sort());
  });

  test('gives up a mail that is always refused: an operator finds and resumes it', async () => {
    const email = uniqueEmail();
    const { jobs } = await invited(email);
    const { sent, sendMail } = postbox();
    const dependencies = testDependencies();
    const refuse = () => Promise.reject(new Error('the address is not taken'));
    for (let attempt = 0; attempt < maxAttempts; attempt++) await deliver(jobs, dependencies, { sendMail: refuse });
    const [failed] = await mailsTo(email);
    expect(failed).toMatchObject({ state: 'FAILED', attempts: maxAttempts, dueShard: indexed.failedJobs });
    expect(JSON.parse(dependencies.lines.at(-1) ?? '')).toMatchObject({ level: 'error', given_up: true });
    await deliver(jobs, dependencies, { sendMail });
    expect(sent).toEqual([]);

    const table = new Table(dependencies.dynamodb, dependencies.tableName, testTime);
    await resumeJob(table, parseStored(jobItem, failed ?? {}), testTime);
    await deliver(jobs, dependencies, { sendMail });
    expect([sent.length, await mailsTo(email)]).toEqual([1, []]);
  });

  test('sends a mail again after an interruption: at least once, not at most once', async () => {
    const email = uniqueEmail();
    const { jobs } = await invited(email);
    const { sent, sendMail } = postbox();
    const cutOff = async (mail: Mail) => {
      await sendMail(mail);
      throw new Error('the worker ended here');
    };
    await deliver(jobs, testDependencies(), { sendMail: cutOff });
    await deliver(jobs, testDependencies(), { sendMail });
    expect(sent.map(({ to }) => to)).toEqual([email, email]);
    expect(await mailsTo(email)).toEqual([]);
  });

  test('without a sender logs that the invitation is recorded and not mailed', async () => {
    const email = uniqueEmail();
    const { project, jobs } = await invited(email);
    const dependencies = testDependencies();
    const { lines } = dependencies;
    expect(await deliver(jobs, dependencies)).toEqual({ batchItemFailures: [] });
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 'warn',
      about: expect.stringMatching(/^inv_/),
      project_ids: [project.id],
      message: 'no sender of mail is configured: the invitation is recorded, and not mailed',
    });
    expect(await invitationsOf(email)).toEqual({ [project.id]: 'role_editor' });
    expect(await mailsTo(email)).toEqual([]);
  });

  test('names in its log the invitation, and neither the person nor the address', async () => {
    const email = uniqueEmail();
    const { jobs } = await invited(email);
    const dependencies = testDependencies();
    const { lines } = dependencies;
    await deliver(jobs, dependencies, { sendMail: postbox().sendMail });
    expect(JSON.parse(lines.join())).toMatchObject({ job: 'send-invitation', about: expect.any(String) });
    expect(lines.join()).not.toMatch(/mail\.example|Lund/);
  });

  test('on the local server writes the whole mail to the log', async () => {
    const email = uniqueEmail();
    const { jobs } = await invited(email);
    const dependencies = testDependencies();
    await deliver(jobs, dependencies, { sendMail: logMail(dependencies) });
    expect(JSON.parse(dependencies.lines[0] ?? '')).toMatchObject({
      part: 'mail',
      mail: { to: email, subject: 'the operator of this server invites you to Test' },
    });
  });
});
