import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Dependencies } from '#kernel/http/composition.ts';
import { migrate } from '../../infra/operator/migrate/run.ts';
import { Source } from '../../infra/operator/migrate/source.ts';
import { Progress } from '../../infra/operator/migrate/state.ts';
import { clientWith } from './client.ts';
import { testDependencies, uniqueId } from './dependencies.ts';
import { operate } from './operator.ts';

/** A migration from a server of this project. */

export interface Credentials {
  readonly url: string;
  readonly appId: string;
  readonly appToken: string;
}

export const demoKey = { appId: 'demo-app', appToken: 'demo-token-for-local-use-only' };

/** A clock whose waits are short, for a server on this machine. They grow, because questions delay the files of a large project. */
const hasty = {
  now: () => Date.now(),
  wait: (ms: number) => new Promise<void>((done) => setTimeout(done, Math.min(ms / 30, 200))),
};

class Killed extends Error {}

const writing: ReadonlySet<string> = new Set([
  ...['PutCommand', 'UpdateCommand', 'DeleteCommand', 'BatchWriteCommand', 'TransactWriteCommand'],
  'BatchExecuteStatementCommand',
]);

interface Limits {
  /** Dies after this number of calls to the source. */
  readonly calls?: number;
  /** Dies after this number of commands to the table. */
  readonly commands?: number;
  /** Dies after this number of writes to the table. */
  readonly writes?: number;
}

/** Dies at a call, as a killed process does. */
class MortalSource extends Source {
  left = Number.POSITIVE_INFINITY;
  /** Counts the questions whether an export is ready. They are many, because a test waits briefly. */
  polls = 0;

  #live(): void {
    this.left -= 1;
    if (this.left < 0) throw new Killed();
  }

  override async get(path: string): Promise<unknown> {
    this.#live();
    if (path.startsWith('/v1/exports/')) this.polls += 1;
    return super.get(path);
  }

  override async post(path: string, body: unknown): Promise<unknown> {
    this.#live();
    return super.post(path, body);
  }
}

/** Copies into the table of the test file, or into another table. */
export async function newMigration(
  credentials: Credentials,
  folders: string[],
  id = uniqueId('proj_'),
  { dynamodb, tableName }: Pick<Dependencies, 'dynamodb' | 'tableName'> = testDependencies(),
) {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-migration-'));
  folders.push(folder);
  const project = { id, name: 'Copy' };
  async function run({ calls, commands = Infinity, writes = Infinity }: Limits = {}) {
    const source = new MortalSource({ ...credentials, callsPerMinute: 100_000, clock: hasty });
    if (calls !== undefined) source.left = calls;
    let sent = 0;
    let written = 0;
    const mortal = clientWith(dynamodb, async (command, real) => {
      sent += 1;
      if (writing.has(command.constructor.name)) written += 1;
      if (sent > commands || written > writes) throw new Killed();
      return real();
    });
    const progress = await Progress.open(folder, { from: credentials.url, project: project.id });
    const target = { dynamodb: mortal, tableName, now: new Date(), project };
    const done = await migrate(source, progress, target).catch((error: unknown) => {
      if (error instanceof Killed || (error instanceof Error && error.cause instanceof Killed)) return undefined;
      throw error;
    });
    return { done, calls: source.calls, polls: source.polls, sent, written };
  }
  return { folder, project, run };
}

/** Makes an app key of a copied project, as an operator does. */
export async function newKeyOf(project: string, env: Record<string, string>) {
  const made = await operate('app-key', ['create', project, '--name', 'Check'], { env });
  const [, appId = ''] = /app id +(\S+)/.exec(made.stdout) ?? [];
  const [, appToken = ''] = /token +(\S+)/.exec(made.stdout) ?? [];
  return { appId, appToken };
}

export const removeAll = (folders: readonly string[]) =>
  Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
