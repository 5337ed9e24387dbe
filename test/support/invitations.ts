import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { Dependencies } from '../../lib/http/composition.ts';
import { invitee, inviteeItem } from '../../lib/management/invitation.ts';
import { Table } from '../../lib/table/table.ts';
import { testDependencies, testTime, uniqueId } from './dependencies.ts';

export function uniqueEmail(): string {
  return `${uniqueId('ana.')}@mail.example`;
}

export function inviteeOf(email: string, { dynamodb, tableName }: Dependencies = testDependencies()) {
  return new Table(dynamodb, tableName, testTime).get(invitee(email), inviteeItem);
}

/** Project and role of each open invitation of the person. */
export async function invitationsOf(email: string): Promise<Record<string, string>> {
  const invitations = (await inviteeOf(email))?.invitations ?? [];
  return Object.fromEntries(invitations.map(({ project_id, role }) => [project_id, role]));
}

/** The jobs to mail the person that are there, as stored. */
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
