import type { Table } from '../dynamodb.ts';
import type { Project } from '../projects/project.ts';

/** Who manages, as the guard of the management paths tells. */
export interface Manager {
  /** Told to those who are invited, and to the log. */
  name: string;
  /** A management key is a project's own and opens no other; who is let in without one may manage them all. */
  projectId?: string;
}

export interface ManagementContext {
  table: Table;
  now: Date;
  manager: Manager;
  credentials: { findProject: (id: string) => Promise<Project | undefined> };
}

export function mayManage(manager: Manager, projectId: string): boolean {
  return manager.projectId === undefined || manager.projectId === projectId;
}

/** What the manager may not see is not there. */
export async function findManagedProject(
  { manager, credentials }: ManagementContext,
  projectId: string,
): Promise<Project | undefined> {
  return mayManage(manager, projectId) ? credentials.findProject(projectId) : undefined;
}
