import type { Table } from '../dynamodb.ts';
import type { Caller } from '../http/scope.ts';
import type { Project } from '../projects/project.ts';

/** What the use case of events gets from the endpoint. */
export interface Context {
  table: Table;
  project: Project;
  now: Date;
  baseUrl: string;
  caller: Caller;
}
