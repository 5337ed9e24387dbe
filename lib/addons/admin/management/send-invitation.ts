import * as v from 'valibot';
import { projectsById } from '#kernel/access/projects/project.ts';
import type { SendMail } from '#kernel/core/mail/mail.ts';
import { text } from '#kernel/core/schema.ts';
import type { Work } from '#kernel/kit/jobs/run.ts';
import { parseStored } from '#kernel/table/item.ts';
import { keyOf } from '#kernel/table/keys.ts';
import type { Table } from '#kernel/table/table.ts';
import { type InvitationMail, invitationMail } from './invitation.ts';
import { writeInvitationMail } from './invitation-mail.ts';
import { role as customRole } from './resource.ts';
import { builtInRoles } from './role.ts';

const invitationMailJob = v.object({ mail: invitationMail });

const named = v.object({ name: text });

/** Returns the current names of the projects and roles. */
async function namesOf(table: Table, { projects }: InvitationMail): Promise<{ name: string; role: string }[]> {
  const custom = projects.filter(({ role }) => !builtInRoles.includes(role));
  const found = await table.getMany([
    ...projects.map(({ project_id }) => projectsById(project_id)),
    ...custom.map(({ project_id, role }) => customRole.few(project_id, role)),
  ]);
  const nameAt = (index: number) => {
    const item = found[index];
    return item && parseStored(named, item).name;
  };
  const roleNames = new Map(custom.map((invited, index) => [invited, nameAt(projects.length + index)]));
  return projects.map((invited, index) => ({
    name: nameAt(index) ?? invited.project_id,
    role: roleNames.get(invited) ?? invited.role,
  }));
}

/**
 * Sends the mail of an invitation, then removes the job. If it is cut off between the two, it sends the mail again. Without `sendMail` it
 * only logs.
 */
export function sendInvitations(sendMail: SendMail | undefined): Work {
  return {
    run: async ({ table, note }, job) => {
      const { mail: order } = parseStored(invitationMailJob, job);
      if (sendMail) {
        const mail = writeInvitationMail({
          to: order.email,
          name: `${order.first_name} ${order.last_name}`,
          invitedBy: order.invited_by,
          projects: await namesOf(table, order),
        });
        await sendMail(mail);
      } else {
        note({
          message: 'no sender of mail is configured: the invitation is recorded, and not mailed',
          project_ids: order.projects.map(({ project_id }) => project_id),
        });
      }
      await table.remove(keyOf(job), {
        condition: '#state = :open',
        names: { '#state': 'state' },
        values: { ':open': 'OPEN' },
      });
      return 'done';
    },
  };
}
