import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { Dependencies } from '../../lib/composition.ts';
import { Table } from '../../lib/dynamodb.ts';
import { invitationMailItem, inviteeItem } from '../../lib/management/invitation.ts';
import { keys } from '../../lib/table.ts';
import { testDependencies, testTime, uniqueId } from './dependencies.ts';

export function uniqueEmail(): string {
  return `${uniqueId('ana.')}@mail.example`;
}

export function inviteeOf(email: string, { dynamodb, tableName }: Dependencies = testDependencies()) {
  return new Table(dynamodb, tableName, testTime).get(keys.invitee(email), inviteeItem);
}

/** Project and role of each open invitation of the person. */
export async function invitationsOf(email: string): Promise<Record<string, string>> {
  const invitations = (await inviteeOf(email))?.invitations ?? [];
  return Object.fromEntries(invitations.map(({ project_id, role }) => [project_id, role]));
}

/** The mails to the person that wait to be sent: stored items, with their keys. */
export async function mailsTo(email: string, { dynamodb, tableName }: Dependencies = testDependencies()) {
  const mails: (v.InferOutput<typeof invitationMailItem> & Record<string, unknown>)[] = [];
  let start: Record<string, unknown> | undefined;
  do {
    const page = await dynamodb.send(
      new ScanCommand({
        TableName: tableName,
        FilterExpression: 'begins_with(pk, :kind) AND email = :email',
        ExpressionAttributeValues: { ':kind': 'INVITATION_MAIL', ':email': email },
        ConsistentRead: true,
        ...(start ? { ExclusiveStartKey: start } : {}),
      }),
    );
    mails.push(...(page.Items ?? []).map((item) => ({ ...item, ...v.parse(invitationMailItem, item) })));
    start = page.LastEvaluatedKey;
  } while (start);
  return mails;
}
