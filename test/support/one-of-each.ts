import { requestExamples } from '../../infra/openapi/examples.ts';
import type { Dependencies } from '../../lib/composition.ts';
import { Table } from '../../lib/dynamodb.ts';
import { findProject } from '../../lib/projects/project.ts';
import type { Operation } from '../../lib/routes/index.ts';
import { type Route, takesIdempotencyKey } from '../../lib/routes/route.ts';
import { assetId } from '../../lib/vouchers/asset-id.ts';
import type { Request } from './api-event.ts';
import { uniqueEmail } from './invitations.ts';
import type { TestProject } from './project.ts';
import { form, issueToken } from './tokens.ts';

/** A request of each operation that a project loaded from the demo answers with success: those of the API's documentation. */
export async function requestsTo(
  { id, credentials }: TestProject,
  dependencies: Dependencies,
): Promise<(operation: Operation, route: Route) => Request> {
  const token = await issueToken(credentials, 'vouchers', dependencies);
  const project = await findProject(new Table(dependencies.dynamodb, dependencies.tableName, dependencies.clock()), id);
  if (project === undefined) throw new Error(`${id} was not loaded`);

  const email = uniqueEmail();

  return (operation, route) => {
    const { params, body } = requestExamples[operation] ?? {};
    const headers = route.authentication === 'none' || route.authentication === 'management' ? {} : credentials;
    switch (operation) {
      case 'issue-token':
        return { headers: { ...headers, ...form }, body: 'grant_type=client_credentials&scope=vouchers' };
      case 'introspect-token':
      case 'revoke-token':
        return { headers: { ...headers, ...form }, body: `access_token=${token}` };
      case 'get-brand':
        return { params: { ...params, projectId: id } };
      case 'invite-user':
        return { body: { ...body, email, projects: { [id]: 'role_barista' } } };
      case 'get-qr-asset':
        return { params: { id: assetId(project, 'qr', 'TIDE-HELLO') } };
      case 'get-barcode-asset':
        return { params: { id: assetId(project, 'barcode', 'TIDE-HELLO') } };
      case 'unknown-path':
        return { path: '/v1/nothing-there', method: 'GET' };
      default:
        return {
          headers: { ...headers, ...(takesIdempotencyKey(route) ? { 'idempotency-key': `one-${operation}` } : {}) },
          ...(params ? { params } : {}),
          ...(body ? { body } : {}),
        };
    }
  };
}
