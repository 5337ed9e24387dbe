import { api, dataOf, type Schemas } from './api.ts';
import { query } from './router.ts';
import { session } from './session.ts';

/** Calls of management name their project in the path. The console finds the project of its key. */

type Project = Schemas['Project'];

export interface Managed {
  readonly projects: readonly Project[];
  /** Is missing if several projects fit, and none is chosen. */
  readonly project: Project | undefined;
}

/** Keys of further projects are not requested, because each request costs a call. */
const mostAsked = 20;

async function hasKey({ id }: Project, appId: string): Promise<boolean> {
  const { data } = await dataOf(
    api.GET('/management/v1/projects/{projectId}/keys', { params: { path: { projectId: id } } }),
  );
  return data.some((key) => key.id === appId);
}

/** Returns the project that the address names, else the project of the app key. */
export async function findManaged(): Promise<Managed> {
  const { data: projects } = await dataOf(api.GET('/management/v1/projects'));
  const named = projects.find(({ id }) => id === query.value.get('project'));
  if (named || projects.length < 2) return { projects, project: named ?? projects[0] };
  const signed = session.value;
  if (signed?.kind !== 'app') return { projects, project: undefined };
  const asked = projects.slice(0, mostAsked);
  const own = await Promise.all(asked.map((one) => hasKey(one, signed.appId)));
  return { projects, project: asked[own.indexOf(true)] };
}
