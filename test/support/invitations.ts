import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { inviteeItem, inviteeKey } from '#addons/admin/management/invitation.ts';
import type { Dependencies } from '#kernel/http/composition.ts';
import { Table } from '#kernel/table/table.ts';
import { handler } from '../../functions/management/invite-user.ts';
import { caller } from './call.ts';
import { testDependencies, testTime, uniqueId } from './dependencies.ts';
import { loadProject } from './project.ts';

export function uniqueEmail(): string {
  return `${uniqueId('ana.')}@mail.example`;
}

export const names = { first_name: 'Ana', last_name: 'Lund' };

/** Returns the calls of one container. */
export function inviter(dependencies: Dependencies = testDependencies()) {
  const call = caller(handler, dependencies);
  return (email: string, projects: unknown, others: Record<string, unknown> = {}) =>
    call({ body: { email, ...names, projects, ...others } });
}

/** Loads a project with a custom role, a project without custom roles, and a project with Areas and Stores. */
export function loadShops() {
  const withAreas = { id: uniqueId('proj_'), name: 'Test', features: { areas_and_stores: true } };
  return Promise.all([
    loadProject({ roles: [{ id: 'role_editor', name: 'Editor' }] }),
    loadProject(),
    loadProject({ project: withAreas }),
  ]);
}

export function inviteeOf(email: string, { dynamodb, tableName }: Dependencies = testDependencies()) {
  return new Table(dynamodb, tableName, testTime).get(inviteeKey(email), inviteeItem);
}

/** Returns project and role of each open invitation of the person. */
export async function invitationsOf(email: string): Promise<Record<string, string>> {
  const invitations = (await inviteeOf(email))?.invitations ?? [];
  return Object.fromEntries(invitations.map(({ project_id, role }) => [project_id, role]));
}

/** Returns the stored jobs that mail the person. */
export async function mailsTo(email: string, { dynamodb, tableName }: Dependencies = testDependencies()) {
  const mails: Record<string, unknown>[] = [];
  let start: Record<string, unknown> | undefined;
  do {
    const page = await dynamodb.send(
      new ScanCommand({
        TableName: tableName,
        FilterExpression: 'begins_with(pk, :kind) AND mail.email = :email',
        ExpressionAttributeValues: { ':kind': 'INVITATION_MAIL', ':email': email },
        ConsistentRead: true,
        ...(start ? { ExclusiveStartKey: start } : {}),
      }),
    );
    mails.push(...(page.Items ?? []));
    start = page.LastEvaluatedKey;
  } while (start);
  return mails;
}
