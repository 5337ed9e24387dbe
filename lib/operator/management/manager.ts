import { notFound } from '../../core/errors.ts';
import type { Manager, Managing } from '../../http/context.ts';
import type { Project } from '../../http/projects/project.ts';
import { findRight } from '../../http/users/roles.ts';

export function canManage(manager: Manager, projectId: string): boolean {
  return manager.projectId === undefined || manager.projectId === projectId;
}

/** Returns whether the manager may see secrets that sign webhooks. A role that only reads must not sign in the project's name. */
export function canReadSecrets({ user }: Manager): boolean {
  return user === undefined || findRight(user.role, 'management') === 'write';
}

/** Returns the project, or `undefined` if it is hidden from the manager. */
export async function findManagedProject(
  { manager, credentials }: Managing,
  projectId: string,
): Promise<Project | undefined> {
  return canManage(manager, projectId) ? credentials.findProject(projectId) : undefined;
}

/** Returns the project. 404 if it is missing. */
export async function managedProjectOr404(context: Managing, projectId: string): Promise<Project> {
  const project = await findManagedProject(context, projectId);
  if (!project) throw notFound('project', projectId);
  return project;
}
