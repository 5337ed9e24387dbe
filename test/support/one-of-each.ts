import type { Operation } from '../../infra/operations.ts';
import type { Dependencies } from '../../lib/http/composition.ts';
import { hasAppKey } from '../../lib/http/route.ts';
import { findProject, type Project } from '../../lib/projects/project.ts';
import { Table } from '../../lib/table/table.ts';
import { assetId } from '../../lib/vouchers/asset-id.ts';
import type { Request } from './api-event.ts';
import { uniqueEmail } from './invitations.ts';
import type { TestProject } from './project.ts';
import { issueToken } from './tokens.ts';

/** What no example can show: ids and tokens that the service itself makes for one project. */
export function ofTheService(project: Project, token: string): Readonly<Record<string, Request>> {
  return {
    'introspect-token': { body: { access_token: token } },
    'revoke-token': { body: { access_token: token } },
    'get-qr-asset': { params: { id: assetId(project, 'qr', 'TIDE-HELLO') } },
    'get-barcode-asset': { params: { id: assetId(project, 'barcode', 'TIDE-HELLO') } },
  };
}

/** The example of an operation, for a project that was loaded from the demo under an id of its own. */
export function exampleIn(projectId: string, { route }: Operation): Pick<Request, 'params' | 'query' | 'body'> {
  return JSON.parse(JSON.stringify(route.example).replaceAll('proj_demo', projectId));
}

/** A request of each operation that a project loaded from the demo answers with success: those of the API's documentation. */
export async function requestsTo(
  { id, credentials }: Pick<TestProject, 'id' | 'credentials'>,
  dependencies: Dependencies,
): Promise<(operation: Operation) => Request> {
  const table = new Table(dependencies.dynamodb, dependencies.tableName, dependencies.clock());
  const project = await findProject(table, id);
  if (project === undefined) throw new Error(`${id} was not loaded`);
  const made = ofTheService(project, await issueToken(credentials, 'vouchers', dependencies));
  const email = uniqueEmail();
  return (operation) => {
    const request = { ...exampleIn(id, operation), ...made[operation.name] };
    return {
      ...request,
      headers: hasAppKey(operation.route) ? credentials : {},
      // People are known by their address alone, whatever the project.
      ...(operation.name === 'invite-user' ? { body: { ...Object(request.body), email } } : {}),
    };
  };
}
