import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { observed } from './commands.ts';

/** One of IAM's actions on a table, or the name of an index of it, as `index/<name>`. */
export type Permission = string;

const actionOfTransactionPart: Readonly<Record<string, Permission>> = {
  Get: 'dynamodb:GetItem',
  Put: 'dynamodb:PutItem',
  Update: 'dynamodb:UpdateItem',
  Delete: 'dynamodb:DeleteItem',
  ConditionCheck: 'dynamodb:ConditionCheckItem',
};

const actionOfCommand: Readonly<Record<string, Permission>> = {
  GetCommand: 'dynamodb:GetItem',
  BatchGetCommand: 'dynamodb:BatchGetItem',
  QueryCommand: 'dynamodb:Query',
  PutCommand: 'dynamodb:PutItem',
  UpdateCommand: 'dynamodb:UpdateItem',
  DeleteCommand: 'dynamodb:DeleteItem',
};

interface Sent {
  readonly name: string;
  readonly input: {
    IndexName?: string;
    TransactItems?: readonly Record<string, unknown>[];
    Statements?: readonly { Statement?: string }[];
  };
}

/** What IAM asks for when the command is sent; a transaction needs the actions of its parts. */
export function permissionsFor({ name, input }: Sent): Permission[] {
  const parts = input.TransactItems?.map((item) => actionOfTransactionPart[Object.keys(item)[0] ?? '']);
  const statements = input.Statements?.map(({ Statement }) =>
    Statement?.startsWith('INSERT ') ? 'dynamodb:PartiQLInsert' : undefined,
  );
  const actions = parts ?? statements ?? [actionOfCommand[name]];
  const needed = [...actions, ...(input.IndexName === undefined ? [] : [`index/${input.IndexName}`])];
  return needed.map((permission) => {
    if (permission === undefined)
      throw new Error(`which permission does a ${name} need? See test/support/permissions.ts`);
    return permission;
  });
}

/** The same client, that tells before each command what IAM would ask for. */
export function watched(
  client: DynamoDBDocumentClient,
  needs: (permission: Permission) => void,
): DynamoDBDocumentClient {
  return observed(client, {
    before: (command) => {
      for (const permission of permissionsFor(command)) needs(permission);
    },
  });
}
