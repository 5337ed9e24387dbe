import * as v from 'valibot';
import { projectId } from '../projects/project.ts';
import { count, dateTime, email, identifier, text } from '../schema.ts';

/** One item holds all invitations of a person, so that any number of projects is one write; this many fit one request's time. */
export const maxProjects = 200;

/** Of the letters of a name in a mail: enough for any, and no room for a text of one's own. */
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
);

export interface Invited {
  projectId: string;
  role: string;
}

const projectsRule = `must be an object of 1 to ${maxProjects} project ids, each with a role`;

/**
 * Taken apart by hand: a schema for records passes over keys such as `constructor`, and who asks for a project that is
 * not there has to be told so.
 */
const projects = v.pipe(
  v.custom<Record<string, unknown>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    projectsRule,
  ),
  v.rawTransform(({ dataset, addIssue, NEVER }): Invited[] => {
    const entries = Object.entries(dataset.value);
    const invited = entries.flatMap(([projectId, role]) => (typeof role === 'string' ? [{ projectId, role }] : []));
    if (entries.length === 0 || entries.length > maxProjects) addIssue({ message: projectsRule });
    else if (invited.length < entries.length) addIssue({ message: 'must have a text, the role, for each project' });
    else return invited;
    return NEVER;
  }),
);

/** Contract, endpoint 10. */
export const invitationBody = v.object({ email, first_name: personName, last_name: personName, projects });

export type InvitationBody = v.InferOutput<typeof invitationBody>;

const invited = v.object({ project_id: projectId, role: identifier });

/** As stored, one item a person. It may hold a revision alone: of somebody who became a user without an invitation. */
export const inviteeItem = v.object({
  /** As it was spelled last; the key has it in lower case. */
  email: v.optional(text),
  first_name: v.optional(text),
  last_name: v.optional(text),
  /** A list, since a project id can be a name that every object has, such as `constructor`. */
  invitations: v.optional(v.array(v.object({ ...invited.entries, invited_at: dateTime, invited_by: text })), []),
  /** Counts the invitations and whenever the person becomes a user of a project: a write that has not seen all of it is refused. */
  revision: count,
});

export type InviteeItem = v.InferOutput<typeof inviteeItem>;

/** The order to send a mail; its own record in the stream is what sets the worker to it. It goes with the mail: what is left was given up. */
export const invitationMailItem = v.object({
  invitation_id: text,
  email,
  first_name: text,
  last_name: text,
  projects: v.array(invited),
  invited_by: text,
});

export type InvitationMailItem = v.InferOutput<typeof invitationMailItem>;
