import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportProject } from '#addons/admin/project-file/export.ts';
import { loadProjectFile } from '#addons/admin/project-file/load.ts';
import type { Dependencies } from '#kernel/http/composition.ts';
import { Table } from '#kernel/table/table.ts';
import { Api } from './api.ts';
import { build } from './build.ts';
import type { Building } from './building.ts';
import { differences, type Judged, judge } from './differences.ts';
import { entriesOf, type Project, parseProject, text, without } from './project.ts';

/** Lists that an operator brings to a deployment before clients can call it. */
const operators = ['app_keys', 'client_keys', 'management_keys', 'roles', 'users'];

type Target = Pick<Dependencies, 'dynamodb' | 'tableName' | 'clock'>;

export interface Places {
  /** The table into which the file is loaded. */
  readonly loaded: Target;
  /** The table of the server. */
  readonly built: Target;
  readonly baseUrl: string;
  readonly settle: () => Promise<void>;
}

async function exported({ dynamodb, tableName, clock }: Target, projectId: string, folder: string): Promise<Project> {
  const path = join(folder, 'exported.json');
  await exportProject(new Table(dynamodb, tableName, clock()), projectId, path, { replace: true });
  return parseProject(await readFile(path, 'utf8'));
}

async function load({ dynamodb, tableName, clock }: Target, path: string): Promise<void> {
  await loadProjectFile(path, { dynamodb, tableName, now: clock() });
}

/** Returns the headers of an active key whose token is in the file. */
function credentialsOf(file: Project): Record<string, string> {
  const key = entriesOf(file, 'app_keys').find(({ active, app_token }) => active !== false && app_token);
  if (!key) throw new Error('the file has no active app key with a token, so the service cannot be called');
  return { 'x-app-id': text(key, 'app_id'), 'x-app-token': text(key, 'app_token') };
}

function bare(file: Project): Project {
  const others = Object.keys(file).filter((list) => list !== 'project' && !operators.includes(list));
  return { ...without(file, ...others), project: file.project } as Project;
}

export interface Outcome extends Judged {
  readonly building: Building;
}

/** Builds the whole file over HTTP in a project that has only keys. Compares its export with the loaded file's export. */
export async function buildAndCompare(path: string, { loaded, built, baseUrl, settle }: Places): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-over-api-'));
  try {
    const file = parseProject(await readFile(path, 'utf8'));
    const { id: projectId } = file.project;
    await load(loaded, path);
    const wanted = await exported(loaded, projectId, folder);
    const barePath = join(folder, 'bare.json');
    await writeFile(barePath, JSON.stringify(bare(file)));
    await load(built, barePath);
    const building = await build(wanted, new Api({ baseUrl, projectId, credentials: credentialsOf(file), settle }));
    const found = differences(wanted, await exported(built, projectId, folder), building);
    return { ...judge(found, building), building };
  } finally {
    await rm(folder, { recursive: true });
  }
}
