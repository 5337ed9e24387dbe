import * as v from 'valibot';
import { parseStored, type Table } from '../dynamodb.ts';
import type { SendMail } from '../outbox/mail.ts';
import { text } from '../schema.ts';
import { keys } from '../table.ts';
import { type InvitationMailItem, invitationMailItem } from './invitation.ts';
import { writeInvitationMail } from './invitation-mail.ts';
import { builtInRoles } from './role.ts';

interface Context {
  table: Table;
  /** Absent where nobody is configured to send mail. */
  sendMail: SendMail | undefined;
  /** Takes what happened instead, for the log. */
  note: (fields: Record<string, unknown>) => void;
}

const named = v.object({ name: text });

/** The names that people know, as they are when the mail is sent. */
async function namesOf(table: Table, { projects }: InvitationMailItem): Promise<{ name: string; role: string }[]> {
  const custom = projects.filter(({ role }) => !builtInRoles.includes(role));
  const found = await table.getMany([
    ...projects.map(({ project_id }) => keys.project(project_id)),
    ...custom.map(({ project_id, role }) => keys.role(project_id, role)),
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
 * Sends the mail of an invitation, unless that was done before: the order goes once the mail is sent. Cut off between the
 * two, the mail is sent again.
 */
export async function sendInvitation({ table, sendMail, note }: Context, invitationId: string): Promise<void> {
  const key = keys.invitationMail(invitationId);
  const order = await table.get(key, invitationMailItem);
  if (!order) return;
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
  await table.remove(key, {
    condition: '#id = :id',
    names: { '#id': 'invitation_id' },
    values: { ':id': invitationId },
  });
}
