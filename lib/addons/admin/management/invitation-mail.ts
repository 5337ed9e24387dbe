import type { Mail } from '#kernel/core/mail/mail.ts';
import { withoutAddresses } from '#kernel/core/mail/shown-text.ts';

export interface InvitationMailParts {
  to: string;
  /** The address of the invited user. */
  name: string;
  /** The inviting user. */
  invitedBy: string;
  /** At least one project, by display name. */
  projects: readonly { name: string; role: string }[];
}

/** Limits the characters of a name in a mail. */
const maxNameLength = 100;

/**
 * Reduces a name to a short line without an address. Names of projects, roles and keys are free texts, and a link in
 * such a text would seem to come from the operator.
 */
function oneLine(name: string): string {
  const line = withoutAddresses(name.toWellFormed())
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return line.length > maxNameLength ? `${line.slice(0, maxNameLength).toWellFormed()}…` : line;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

function subjectOf(invitedBy: string, names: readonly string[]): string {
  const [first = '', ...others] = names;
  const more =
    others.length === 0 ? '' : others.length === 1 ? ' and another project' : ` and ${others.length} other projects`;
  return `${invitedBy} invites you to ${first}${more}`;
}

/** Writes an invitation: its projects, its roles, and the inviting user. */
export function writeInvitationMail({ to, name, invitedBy, projects }: InvitationMailParts): Mail {
  const inviter = oneLine(invitedBy);
  const invited = projects.map((project) => ({ name: oneLine(project.name), role: oneLine(project.role) }));
  const greeting = `Hello ${oneLine(name)},`;
  const invitation = `${inviter} invites you to ${invited.length === 1 ? 'this project' : `these ${invited.length} projects`}:`;
  const end = 'If you did not expect this invitation, you need not do anything.';
  return {
    to,
    subject: subjectOf(
      inviter,
      invited.map(({ name }) => name),
    ),
    text: [
      greeting,
      '',
      invitation,
      '',
      ...invited.map(({ name, role }) => `- ${name}, in the role ${role}`),
      '',
      end,
      '',
    ].join('\n'),
    html: [
      '<!doctype html><html lang="en"><head><meta charset="utf-8"></head><body>',
      `<p>${escaped(greeting)}</p>`,
      `<p>${escaped(invitation)}</p>`,
      '<ul>',
      ...invited.map(({ name, role }) => `<li><strong>${escaped(name)}</strong>, in the role ${escaped(role)}</li>`),
      '</ul>',
      `<p>${escaped(end)}</p>`,
      '</body></html>',
      '',
    ].join('\n'),
  };
}
