import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { handler as issueToken } from '../../../functions/issue-token.ts';
import type { Engine } from '../../../infra/local/engine.ts';
import { dynamodbClient } from '../../../lib/composition.ts';
import { documentClient } from '../../../lib/dynamodb.ts';
import type { Project } from '../../../lib/projects/project.ts';
import type { Operation } from '../../../lib/routes/index.ts';
import type { Benchmark, Measurement } from '../benchmark.ts';
import {
  type Bundles,
  bundleBoth,
  compare,
  lambdaContext,
  recordingDependencies,
  rounds,
  turnsPerRound,
  warmUpTurns,
} from '../compare.ts';
import { rowOf } from '../row.ts';
import { benchProject, eventOf, mostTurns, subjects } from '../subjects.ts';
import { copyTable, loadedTable, onEachEngine } from '../tables.ts';

/** `BENCH_ENDPOINTS=get-voucher,send-event` measures these alone. */
const wanted = process.env.BENCH_ENDPOINTS?.split(',');

const dayInMs = 24 * 60 * 60 * 1_000;

const issued = v.pipe(v.string(), v.parseJson(), v.object({ access_token: v.string() }));

function isOperation(name: string): name is Operation {
  return Object.hasOwn(subjects, name);
}

/** As many bearer tokens as there are turns, asked for as clients do, at a time that keeps them in time for the whole run. */
async function issueTokens(client: DynamoDBClient, tableName: string, project: Project): Promise<string[]> {
  const issue = issueToken.with({
    ...recordingDependencies(tableName, documentClient(client)),
    clock: () => new Date(Date.now() + dayInMs),
  });
  const [subject] = subjects['issue-token'];
  if (!subject) throw new Error('no request for a token');
  const tokens: string[] = [];
  while (tokens.length < mostTurns) {
    const { body } = await issue(eventOf('issue-token', subject, 0, { project, tokens }), lambdaContext);
    tokens.push(v.parse(issued, body).access_token);
  }
  return tokens;
}

/** On three tables that begin alike, for each of the three sides writes to its own. */
async function measureEngine(
  { endpoint, name }: Engine,
  bundles: Bundles,
  workDir: string,
  tell: (row: Measurement) => void,
): Promise<Measurement[]> {
  const client = dynamodbClient(endpoint);
  const tables = { recorded: 'tessera-bench-one', function: 'tessera-bench-two', floor: 'tessera-bench-three' };
  const rows: Measurement[] = [];
  try {
    const project = await loadedTable(client, tables.recorded, await benchProject(), workDir);
    const world = { project, tokens: await issueTokens(client, tables.recorded, project) };
    await copyTable(client, tables.recorded, tables.function);
    await copyTable(client, tables.recorded, tables.floor);
    for (const [operation, ways] of Object.entries(subjects)) {
      if (!isOperation(operation) || (wanted && !wanted.includes(operation))) continue;
      for (const subject of ways) {
        const figures = await compare({ endpoint, tables, operation, subject, world, bundles });
        const row = rowOf(`${name}, ${operation}${subject.way ? ` (${subject.way})` : ''}`, figures, subject.maxRatio);
        rows.push(row);
        tell(row);
      }
    }
    return rows;
  } finally {
    client.destroy();
  }
}

export const benchmark: Benchmark = {
  title: `Endpoints: the bundled function beside its own DynamoDB commands sent bare (medians of ${rounds} rounds of ${turnsPerRound} turns, after ${warmUpTurns} turns of warm-up)`,
  measure: async (workDir, tell) => {
    const bundles = await bundleBoth(workDir);
    return onEachEngine((engine) => measureEngine(engine, bundles, workDir, tell));
  },
};
