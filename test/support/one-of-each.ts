import { expect } from 'vitest';
import { readMetadataSchemaId } from '#addons/admin/metadata-schemas/schema-body.ts';
import { readSchemaId } from '#engine/ledger/earning-events.ts';
import { sealAssetId } from '#engine/vouchers/asset-id.ts';
import { findProject, type Project } from '#kernel/access/projects/project.ts';
import type { Dependencies } from '#kernel/http/composition.ts';
import { hasAppKey } from '#kernel/http/route.ts';
import { Table } from '#kernel/table/table.ts';
import { handler as listBin } from '../../functions/trash-bin/list-trash-bin.ts';
import { handler as createVoucher } from '../../functions/vouchers/create-voucher.ts';
import { handler as deleteVoucher } from '../../functions/vouchers/delete-voucher.ts';
import demo from '../../infra/local/demo-project.json' with { type: 'json' };
import type { Operation } from '../../infra/operations.ts';
import type { Request } from './api-event.ts';
import { caller } from './call.ts';
import { uniqueId } from './dependencies.ts';
import { uniqueEmail } from './invitations.ts';
import { loadProject, type TestProject } from './project.ts';
import { bearer, issueToken } from './tokens.ts';
import { entryOf, newUser } from './users.ts';

/** Returns ids and tokens that the service makes for one project. No example can show them. */
function ofTheService(
  project: Project,
  { token, binEntryId }: { token: string; binEntryId: string },
): Readonly<Record<string, Request>> {
  return {
    'delete-trash-bin-entry': { params: { binEntryId } },
    'rotate-project-key': { params: { projectId: project.id, keyId: `app-${project.id}` }, body: {} },
    'revoke-project-key': { params: { projectId: project.id, keyId: `app-${project.id}` } },
    'introspect-token': { body: { access_token: token } },
    'revoke-token': { body: { access_token: token } },
    'get-qr-asset': { params: { id: sealAssetId(project, 'qr', 'TIDE-HELLO') } },
    'get-barcode-asset': { params: { id: sealAssetId(project, 'barcode', 'TIDE-HELLO') } },
  };
}

/** Returns the operation's example for a copy of the demo under another project id. */
export function exampleIn(projectId: string, { route }: Operation): Pick<Request, 'params' | 'query' | 'body'> {
  return JSON.parse(JSON.stringify(route.example).replaceAll('proj_demo', projectId));
}

/** Deletes something as a client does, and returns the id of its bin entry. */
export async function binnedIn(headers: Record<string, string>, dependencies: Dependencies): Promise<string> {
  const gift = { type: 'GIFT_VOUCHER', gift: { amount: 100 } };
  const { body } = await caller(createVoucher, dependencies)({ headers, body: gift });
  const { status } = await caller(deleteVoucher, dependencies)({ headers, params: { code: body.code } });
  expect(status).toBe(204);
  return (await caller(listBin, dependencies)({ headers })).body.data[0].id;
}

const ofEachTable = new Map<string, Promise<Readonly<Record<string, Request>>>>();

/**
 * Makes requests that need a separate project. A project has one document of stacking rules and one brand, so one
 * request creates and another deletes it. Deleting an event would break other requests. A user joins and leaves. The
 * rest need the right to manage all projects.
 */
function ofOtherProjects(dependencies: Dependencies): Promise<Readonly<Record<string, Request>>> {
  const made = async () => {
    const [member, owner] = [newUser(), newUser()];
    const [none, one, , gone] = await Promise.all([
      loadProject({}, dependencies),
      loadProject(
        {
          stacking_rules: [{ id: 'stk_harbour' }],
          brands: demo.brands,
          event_schema: demo.event_schema,
          users: [entryOf(owner, 'ADMIN'), entryOf(member, 'USER')],
          metadata_schemas: demo.metadata_schemas,
        },
        dependencies,
      ),
      loadProject({ users: [entryOf(member, 'USER')] }, dependencies),
      loadProject({}, dependencies),
    ]);
    return {
      'create-stacking-rules': { params: { projectId: none.id } },
      'delete-stacking-rules': { params: { projectId: one.id, stackingRulesId: 'stk_harbour' } },
      'create-brand': { params: { projectId: none.id } },
      'delete-brand': { params: { projectId: one.id, brandingId: 'brd_harbour' } },
      'add-user': { params: { projectId: none.id }, body: { id: owner.id, role: 'USER' } },
      'remove-user': { params: { projectId: one.id, userId: member.login } },
      'delete-project': { params: { projectId: gone.id } },
      'rotate-project-key': { params: { projectId: none.id, keyId: `app-${none.id}` }, body: {} },
      'revoke-project-key': { params: { projectId: one.id, keyId: `app-${one.id}` } },
      'create-metadata-schema': { params: { projectId: none.id } },
      'delete-metadata-schema': { params: { projectId: one.id, metadataSchemaId: readMetadataSchemaId('origin') } },
      'delete-event-schema': { params: { projectId: one.id, schemaId: readSchemaId('subscription_started') } },
    };
  };
  if (dependencies.managementGuard === 'keys') return Promise.resolve({});
  const known = ofEachTable.get(dependencies.tableName) ?? made();
  ofEachTable.set(dependencies.tableName, known);
  return known;
}

/** Returns a request for each documented operation. Each succeeds in a project loaded from the demo. */
export async function requestsTo(
  { id, credentials }: Pick<TestProject, 'id' | 'credentials'>,
  dependencies: Dependencies,
): Promise<(operation: Operation) => Request> {
  const table = new Table(dependencies.dynamodb, dependencies.tableName, dependencies.clock());
  const project = await findProject(table, id);
  if (project === undefined) throw new Error(`${id} was not loaded`);
  const ofOthers = await ofOtherProjects(dependencies);
  const ofService = ofTheService(project, {
    token: await issueToken(credentials, 'vouchers', dependencies),
    binEntryId: await binnedIn(credentials, dependencies),
  });
  const made: Readonly<Record<string, Request>> = { ...ofService, ...ofOthers };
  const page = bearer(await issueToken(credentials, 'client_api', dependencies));
  const email = uniqueEmail();
  const projectName = uniqueId('Quay ');
  return (operation) => {
    const request = { ...exampleIn(id, operation), ...made[operation.name] };
    return {
      ...request,
      headers: hasAppKey(operation.route) ? credentials : operation.route.authentication === 'client' ? page : {},
      // A person is identified by the address alone, and a project by its name, in all projects.
      ...(operation.name === 'invite-user' ? { body: { ...Object(request.body), email } } : {}),
      ...(operation.name === 'create-project' ? { body: { ...Object(request.body), name: projectName } } : {}),
    };
  };
}
