import * as v from 'valibot';
import { projectItem, toProject } from '#kernel/access/projects/project.ts';
import { type SecretItem, validTokens } from '#kernel/access/projects/webhook-secrets.ts';
import { canReadSecrets } from '#kernel/access/users/manager.ts';
import { described, named } from '#kernel/core/documented.ts';
import { dateTime, listEnvelope, text } from '#kernel/core/schema.ts';
import type { Managing } from '#kernel/http/context.ts';
import { projectKind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { caseSensitive, clientFlags, clientSwitchNames, storedSettings } from './project-settings.ts';

/** The deployment is one cluster. Its name is the usual one of clients. */
export const ownCluster = 'eu1';

const keyPair = v.object({ app_id: text, app_token: described(text, 'The token. It is shown only once.') });

const shownProject = {
  ...storedSettings,
  ...clientFlags,
  id: text,
  name: text,
  case_sensitive_codes: caseSensitive,
  timezone: text,
  cluster_id: text,
  is_sandbox: v.boolean(),
  webhook_token: described(
    v.optional(text),
    'The key that signs `x-voucherify-signature`. Roles that only read do not see it.',
  ),
  created_at: dateTime,
  updated_at: v.optional(dateTime),
  object: v.literal('project'),
};

export const managedProject = named('Project', v.object(shownProject));

export const createdProject = named(
  'CreatedProject',
  v.object({ ...shownProject, server_side_key: keyPair, client_side_key: keyPair }),
);

export type ManagedProject = v.InferOutput<typeof managedProject>;

export const projectList = listEnvelope(managedProject);

/** A stored project with all of its settings. Requests need few of them. */
export const fullItem = v.object({
  ...projectItem.entries,
  ...storedSettings,
  timezone: projectItem.entries.timezone,
  week_starts_on: projectItem.entries.week_starts_on,
  /** The name that a request has claimed. Names of project files are not claimed. */
  claimed_name: v.optional(text),
  updated_at: v.optional(dateTime),
});

export type FullItem = v.InferOutput<typeof fullItem>;

/** The projects, in the form that their management needs. */
export const managedProjects = projectKind(kinds.project, fullItem);

/** `secrets` are absent until a first delivery or rotation makes them. */
export function showProject(
  item: FullItem,
  { manager, now }: Pick<Managing, 'manager' | 'now'>,
  secrets?: SecretItem,
): ManagedProject {
  const { client, secret: _, loaded_file: __, ...settings } = { loaded_file: undefined, ...item };
  const names = Object.entries(clientSwitchNames);
  const flags = Object.fromEntries(names.map(([name, own]) => [name, client[own]]));
  return v.parse(managedProject, {
    client_set_voucher_expiration_date_enabled: false,
    client_trusted_domains: [],
    ...settings,
    ...flags,
    cluster_id: ownCluster,
    is_sandbox: false,
    ...(canReadSecrets(manager) ? { webhook_token: validTokens(toProject(item), secrets, now)[0] } : {}),
    object: 'project',
  });
}
