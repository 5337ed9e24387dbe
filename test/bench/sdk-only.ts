import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchGetCommand, DynamoDBDocumentClient, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';

/** What the functions are measured against: the SDK with the commands of `lib/dynamodb.ts`, and nothing of ours. */
export const sdk = [DynamoDBClient, DynamoDBDocumentClient, BatchGetCommand, GetCommand, PutCommand, UpdateCommand];
