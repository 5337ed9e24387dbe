import type { Endpoint } from '#kernel/http/operation.ts';
import { handler as create } from '../../functions/management/create-project.ts';
import { handler as createKey } from '../../functions/management/create-project-key.ts';
import { handler as remove } from '../../functions/management/delete-project.ts';
import { handler as get } from '../../functions/management/get-project.ts';
import { handler as listKeys } from '../../functions/management/list-project-keys.ts';
import { handler as list } from '../../functions/management/list-projects.ts';
import { handler as revoke } from '../../functions/management/revoke-project-key.ts';
import { handler as rotate } from '../../functions/management/rotate-project-key.ts';
import { handler as update } from '../../functions/management/update-project.ts';
import { caller } from './call.ts';
import { coldDependencies, testDependencies, uniqueId } from './dependencies.ts';

/** Makes the body of a project whose name no other test has. */
export function projectBody(settings: object = {}) {
  return {
    name: uniqueId('Project '),
    case_sensitive_codes: true,
    timezone: 'Europe/Oslo',
    currency: 'NOK',
    ...settings,
  };
}

/** Calls the operations of projects and their keys. `headers` name a management key, if the guard requires it. */
export function manageProjects(dependencies = testDependencies(), headers: Record<string, string> = {}) {
  const ask = (handler: Endpoint, params: Record<string, string>, body?: object) =>
    caller(handler, dependencies)({ params, headers, ...(body ? { body } : {}) });
  return {
    create: (body: object = projectBody()) => ask(create, {}, body),
    list: () => ask(list, {}),
    get: (projectId: string) => ask(get, { projectId }),
    update: (projectId: string, body: object) => ask(update, { projectId }, body),
    remove: (projectId: string) => ask(remove, { projectId }),
    createKey: (projectId: string, body: object) => ask(createKey, { projectId }, body),
    listKeys: (projectId: string) => ask(listKeys, { projectId }),
    rotateKey: (projectId: string, keyId: string, body: object = {}) => ask(rotate, { projectId, keyId }, body),
    revokeKey: (projectId: string, keyId: string) => ask(revoke, { projectId, keyId }),
  };
}

interface Pair {
  app_id: string;
  app_token: string;
}

export const asServer = ({ app_id, app_token }: Pair) => ({ 'x-app-id': app_id, 'x-app-token': app_token });

export const asPage = ({ app_id, app_token }: Pair, origin: string) => ({
  'x-client-application-id': app_id,
  'x-client-token': app_token,
  origin,
});

/** Calls with keys of a project in a container that has no credentials in its cache. */
export function callCold(handler: Endpoint, headers: Record<string, string>, request: object = {}) {
  return caller(handler, coldDependencies())({ ...request, headers });
}
