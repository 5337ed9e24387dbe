import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Dependencies } from '../../lib/http/composition.ts';
import { exportProject } from '../../lib/project-file/export.ts';
import { Table } from '../../lib/table/table.ts';
import { testDependencies } from './dependencies.ts';

/** The project file that an export writes. */
export async function exportedProject(projectId: string, dependencies: Dependencies = testDependencies()) {
  const { dynamodb, tableName, clock } = dependencies;
  const folder = await mkdtemp(join(tmpdir(), 'tessera-'));
  try {
    const path = join(folder, 'exported.json');
    await exportProject(new Table(dynamodb, tableName, clock()), projectId, path);
    return JSON.parse(await readFile(path, 'utf8'));
  } finally {
    await rm(folder, { recursive: true });
  }
}
