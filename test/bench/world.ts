import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { keepRecords } from '#engine/checkout/redemptions/figures.ts';
import type { Project } from '#kernel/access/projects/project.ts';
import { createDocumentClient } from '#kernel/table/connection.ts';
import { commit } from '#kernel/table/effects.ts';
import { Table } from '#kernel/table/table.ts';
import { findOperation } from '../../infra/operations.ts';
import { exampleItems } from '../support/example-redemptions.ts';
import { lambdaContext, recordingDependencies } from './compare.ts';
import { mostTurns, upTo } from './project.ts';
import { benchProject, eventOf, subjectsOf, type World } from './subjects.ts';
import { loadedTable } from './tables.ts';

const dayInMs = 24 * 60 * 60 * 1_000;

const issued = v.pipe(v.string(), v.parseJson(), v.object({ access_token: v.string() }));

/** Requests one bearer token per turn, as clients do, at a time that keeps them valid for the whole run. */
async function issueTokens(client: DynamoDBClient, tableName: string, project: Project): Promise<string[]> {
  const operation = findOperation('issue-token');
  const issue = operation.handler.with({
    ...recordingDependencies(tableName, createDocumentClient(client)),
    clock: () => new Date(Date.now() + dayInMs),
  });
  const [subject] = subjectsOf(operation);
  if (!subject) throw new Error('no request for a token');
  const tokens: string[] = [];
  while (tokens.length < mostTurns) {
    const { body } = await issue(eventOf(operation, subject, 0, { project, tokens }), lambdaContext);
    tokens.push(v.parse(issued, body).access_token);
  }
  return tokens;
}

/** Makes the redemptions that turns roll back. */
async function redeemBefore(client: DynamoDBClient, tableName: string, project: Project): Promise<void> {
  const table = new Table(createDocumentClient(client), tableName, new Date());
  for (const turn of upTo(mostTurns, String)) await commit(table, keepRecords(project.id, exampleItems(`-${turn}`)));
}

/** Makes a new table in which every subject gets its expected answer at each of its turns. */
export async function newWorld(client: DynamoDBClient, tableName: string, workDir: string): Promise<World> {
  const project = await loadedTable(client, tableName, await benchProject(), workDir);
  await redeemBefore(client, tableName, project);
  return { project, tokens: await issueTokens(client, tableName, project) };
}
