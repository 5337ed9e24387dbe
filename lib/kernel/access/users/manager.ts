import { notFound } from '#kernel/core/errors.ts';
import type { Project } from '../projects/project.ts';
import { findRight } from './roles.ts';

/** The manager, in the form that the guard of the management paths defines. */
export interface Manager {
  /** The manager's name, for invitations and the log. */
  readonly name: string;
  /** A management key opens only its own project. A manager without a key may manage all projects. */
  readonly projectId?: string;
  /** The key's user with the role in the key's project, if the key acts for a user. */
  readonly user?: { readonly id: string; readonly login: string; readonly role: string };
}

/** Knows the manager, and finds projects. */
export interface ManagingProjects {
  readonly manager: Manager;
  readonly credentials: { readonly findProject: (id: string) => Promise<Project | undefined> };
}

export function canManage(manager: Manager, projectId: string): boolean {
  return manager.projectId === undefined || manager.projectId === projectId;
}

/** Returns whether the manager may see secrets that sign webhooks. A role that only reads must not sign in the project's name. */
export function canReadSecrets({ user }: Manager): boolean {
  return user === undefined || findRight(user.role, 'management') === 'write';
}

/** Returns the project, or `undefined` if it is hidden from the manager. */
async function findManagedProject(
  { manager, credentials }: ManagingProjects,
  projectId: string,
): Promise<Project | undefined> {
  return canManage(manager, projectId) ? credentials.findProject(projectId) : undefined;
}

/** Returns the project. 404 if it is missing. */
export async function managedProjectOr404(context: ManagingProjects, projectId: string): Promise<Project> {
  const project = await findManagedProject(context, projectId);
  if (!project) throw notFound('project', projectId);
  return project;
}
