import { readFile } from 'node:fs/promises';
import { exportProject } from '#addons/admin/project-file/export.ts';
import { loadProjectFile } from '#addons/admin/project-file/load.ts';
import { createDynamodbClient } from '#kernel/http/composition.ts';
import { createDocumentClient } from '#kernel/table/connection.ts';
import { Table } from '#kernel/table/table.ts';
import { patience } from './dependencies.ts';
import type { ProjectFile } from './exported.ts';
import { withFile } from './project.ts';
import { type Asked, type Given, serveReplies } from './served-replies.ts';

/** Replaces replies of a real service. `real` gives its reply to the same request, or to another query. */
export type Change = (
  asked: Asked,
  real: (query?: URLSearchParams) => Promise<Given>,
  number: number,
) => Promise<Given>;

/** Stands before a server as a service with faults and limits. */
export async function standBefore(url: string, change: Change) {
  let address = '';
  let files = '';
  const real = async ({ method, path, headers, body }: Asked, query: URLSearchParams): Promise<Given> => {
    const given = Object.entries(headers).filter(([name]) => name.startsWith('x-app-'));
    const response = await fetch(`${path.startsWith('/files/') ? files : url}${path}?${query}`, {
      method,
      headers: { 'content-type': 'application/json', ...Object.fromEntries(given.map(([k, v]) => [k, String(v)])) },
      ...(method === 'POST' ? { body } : {}),
    });
    const text = await response.text();
    files = /"(http:[^"]+)\/files\//.exec(text)?.[1] ?? files;
    return {
      status: response.status,
      text: files === '' ? text : text.replaceAll(`${files}/files/`, `${address}/files/`),
    };
  };
  const served = await serveReplies((asked, number) =>
    change(asked, (query = asked.query) => real(asked, query), number),
  );
  address = served.url;
  return served;
}

/** Gives the table of a server that a test has started. */
async function withServersTable<T>(
  engine: string,
  use: (place: { dynamodb: ReturnType<typeof createDocumentClient>; tableName: string }) => Promise<T>,
): Promise<T> {
  const client = createDynamodbClient(engine, patience);
  try {
    return await use({ dynamodb: createDocumentClient(client), tableName: 'tessera' });
  } finally {
    client.destroy();
  }
}

/** Exports a project from a server's table. */
export function exportedAt(engine: string, projectId: string): Promise<ProjectFile> {
  return withServersTable(engine, ({ dynamodb, tableName }) =>
    withFile('', async (path) => {
      await exportProject(new Table(dynamodb, tableName, new Date()), projectId, path, { replace: true });
      return JSON.parse(await readFile(path, 'utf8'));
    }),
  );
}

/** Loads a project into a server's table. */
export function loadAt(engine: string, file: unknown) {
  return withServersTable(engine, (place) =>
    withFile(file, (path) => loadProjectFile(path, { ...place, now: new Date() })),
  );
}
