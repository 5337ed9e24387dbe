import * as v from 'valibot';
import { projectId } from '#kernel/access/projects/project.ts';
import { shownAs } from '#kernel/core/documented.ts';
import { isRecord } from '#kernel/core/is-record.ts';
import { readsLikeAnAddress } from '#kernel/core/mail/shown-text.ts';
import { count, dateTime, email, identifier, text } from '#kernel/core/schema.ts';
import type { Key } from '#kernel/table/keys.ts';
import { sharedKind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { builtInRoles } from './role.ts';

/**
 * Limits the projects of an invitation. One item holds all invitations of a person, so any number is one write. This number fits into the
 * time of a request.
 */
const maxProjects = 200;

/** Limits the letters of a name in a mail. A name fits, and a message does not. */
const maxNameLength = 100;

const personName = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(1, 'must not be empty'),
  v.maxLength(maxNameLength, `must have at most ${maxNameLength} characters`),
  v.check(
    (name) => name.isWellFormed() && !/\p{Cc}/u.test(name),
    'must be well-formed Unicode without control characters',
  ),
  // The names appear in a mail, so they must contain no link, and no character that reverses the direction of text.
  v.check((name) => !/\p{Cf}/u.test(name), 'must not have invisible format characters, such as U+200B'),
  v.check(
    (name) => !readsLikeAnAddress(name),
    'must not have text that a mail program turns into a link: "@", "/", ":" or a dot within a word',
  ),
);

export interface Invited {
  projectId: string;
  role: string;
}

const projectsRule = `must be an object of 1 to ${maxProjects} project ids, each with a role`;

/** Reads the map by hand. A schema for records ignores keys such as `constructor`, and a project of that name must be a 404. */
const projects = shownAs(
  v.pipe(
    v.custom<Record<string, unknown>>(isRecord, projectsRule),
    v.rawTransform(({ dataset, addIssue, NEVER }): Invited[] => {
      const entries = Object.entries(dataset.value);
      const invited = entries.flatMap(([projectId, role]) => (typeof role === 'string' ? [{ projectId, role }] : []));
      if (entries.length === 0 || entries.length > maxProjects) addIssue({ message: projectsRule });
      else if (invited.length < entries.length) addIssue({ message: 'must have a text, the role, for each project' });
      else return invited;
      return NEVER;
    }),
  ),
  {
    type: 'object',
    description: `The role in each project. Each key is a project id. A role is one of ${builtInRoles.join(', ')}, or the id of a custom role.`,
    additionalProperties: { type: 'string' },
    minProperties: 1,
    maxProperties: maxProjects,
  },
);

export const invitationBody = v.object({ email, first_name: personName, last_name: personName, projects });

export type InvitationBody = v.InferOutput<typeof invitationBody>;

const invited = v.object({ project_id: projectId, role: identifier });

/** The stored invitations of a person. A person who became a user without an invitation has only a revision. */
export const inviteeItem = v.object({
  /** The last spelling. The key has it in lower case. */
  email: v.optional(text),
  first_name: v.optional(text),
  last_name: v.optional(text),
  /** A list, because a project id can be a name that every object has, such as `constructor`. */
  invitations: v.optional(
    v.array(
      v.object({
        ...invited.entries,
        invited_at: dateTime,
        invited_by: text,
        /** The time of the last request for a mail. */
        mailed_at: v.optional(dateTime),
      }),
    ),
    [],
  ),
  /** Changes with every invitation and when the person becomes a user, so that a write after an outdated read is refused. */
  revision: count,
});

const inviteesById = sharedKind(kinds.invitee);

/**
 * Keys the invitations to all projects in a single item, so that a single write suffices. Spellings that differ only in
 * case belong to the same person.
 */
export function inviteeKey(email: string): Key {
  return inviteesById(email.toLowerCase());
}

/** Jobs that mail an invitation belong to no single project. */
export const invitationMails = sharedKind(kinds.invitationMail, kinds.job);

export type InviteeItem = v.InferOutput<typeof inviteeItem>;

/** The job of a mail. It is removed after the mail was sent. A job that stays was abandoned. */
export const invitationMail = v.object({
  email,
  first_name: text,
  last_name: text,
  projects: v.array(invited),
  invited_by: text,
});

export type InvitationMail = v.InferOutput<typeof invitationMail>;
