import type * as v from 'valibot';
import { metadataSchemasOf } from '#kernel/access/projects/project.ts';
import { managedProjectOr404 } from '#kernel/access/users/manager.ts';
import { joinFaults, notFound, ServiceError } from '#kernel/core/errors.ts';
import { type MetadataSchema, type MetadataSchemas, schemaOf } from '#kernel/core/metadata/definition.ts';
import { wrapList } from '#kernel/core/schema.ts';
import type { Managing, Reading } from '#kernel/http/context.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { change, commit, insert } from '#kernel/table/effects.ts';
import { read } from '#kernel/table/read.ts';
import type { Table } from '#kernel/table/table.ts';
import {
  type createMetadataSchemaBody,
  readMetadataSchemaId,
  showManaged,
  showPublic,
  toDefinitions,
  type updateMetadataSchemaBody,
} from './schema-body.ts';
import { findSchemaFaults, findTotalFault, findTypeChanges, listNesting } from './schema-faults.ts';

/** All schemas of a project are one item, so each change requires the schemas that it read. */

/** The project of a schema, and its id in a path. */
interface Place {
  readonly projectId: string;
  readonly metadataSchemaId: string;
}

/** The name in errors. */
const type = 'metadata schema';

async function readSchemas(table: Table, projectId: string): Promise<MetadataSchemas | undefined> {
  const { item } = await read(table, { item: metadataSchemasOf(projectId) });
  return item?.schemas;
}

/** Returns the name of the schema with this id. Callers under `/v1` may send the name itself. */
function nameOf(schemas: MetadataSchemas, schemaId: string, isNameAllowed = false): string {
  const names = Object.keys(schemas);
  const own = isNameAllowed ? names.find((one) => one === schemaId) : undefined;
  const name = own ?? names.find((one) => readMetadataSchemaId(one) === schemaId);
  if (name === undefined) throw notFound(type, schemaId);
  return name;
}

function schemaOr404(schemas: MetadataSchemas, name: string): MetadataSchema {
  const schema = schemaOf(schemas, name);
  if (!schema) throw notFound(type, name);
  return schema;
}

/** Throws 400 `invalid_payload` with every fault of the schema among the others. */
function requireSound(schemas: MetadataSchemas, name: string, more: Iterable<string> = []): void {
  const total = findTotalFault(schemas);
  const faults = [...more, ...findSchemaFaults(schemas, name), ...(total ? [total] : [])];
  if (faults.length > 0) throw new ServiceError('invalid_payload', { details: joinFaults(faults) });
}

/** The project whose schemas a caller changes. A manager names the project in the path. */
interface SchemaChange {
  readonly table: Table;
  readonly now: Date;
  readonly credentials: Pick<Managing['credentials'], 'forgetProject'>;
  readonly project: { readonly id: string };
}

/** Returns the context in which a manager changes a project. 404 if the project is missing. */
async function managedChange(context: Managing, projectId: string): Promise<SchemaChange> {
  const { table, now, credentials } = context;
  return { table, now, credentials, project: await managedProjectOr404(context, projectId) };
}

/** Changes the schemas. `by` may run again: it receives the stored schemas, and returns the new schemas. */
async function changing<T>(
  { table, credentials, project: { id } }: SchemaChange,
  by: (before: MetadataSchemas) => { after: MetadataSchemas; result: T },
): Promise<T> {
  const { result } = await retryOptimistically(table, async () => {
    const before = await readSchemas(table, id);
    const { after, result } = by(before ?? {});
    const key = metadataSchemasOf(id);
    const done = await commit(table, [
      before
        ? change(key, (update) => update.whenThere().whenStill('schemas', before).set(['schemas'], after))
        : insert(key, { schemas: after }),
    ]);
    return done ? { result } : again;
  });
  credentials.forgetProject(id);
  return result;
}

type CreateBody = v.InferOutput<typeof createMetadataSchemaBody>;
type UpdateBody = v.InferOutput<typeof updateMetadataSchemaBody>;

function addSchema(context: SchemaChange, { related_object: name, properties, allow_defined_only }: CreateBody) {
  return changing(context, (before) => {
    if (schemaOf(before, name)) {
      const details = `${name} has a metadata schema: update it`;
      throw new ServiceError('duplicate_found', { details, resource: { id: name, type } });
    }
    const schema: MetadataSchema = {
      properties: toDefinitions(properties),
      ...(allow_defined_only ? { allow_defined_only } : {}),
      created_at: context.now.toISOString(),
    };
    const after = { ...before, [name]: schema };
    requireSound(after, name);
    return { after, result: { name, schema } };
  });
}

function changeSchema(
  context: SchemaChange,
  naming: (schemas: MetadataSchemas) => string,
  { properties, allow_defined_only }: UpdateBody,
) {
  return changing(context, (before) => {
    const name = naming(before);
    const { allow_defined_only: wasDefinedOnly, ...stored } = schemaOr404(before, name);
    const sent = toDefinitions(properties);
    const schema: MetadataSchema = {
      ...stored,
      properties: { ...stored.properties, ...sent },
      ...((allow_defined_only ?? wasDefinedOnly) ? { allow_defined_only: true as const } : {}),
      updated_at: context.now.toISOString(),
    };
    const after = { ...before, [name]: schema };
    requireSound(after, name, findTypeChanges(stored.properties, sent));
    return { after, result: { name, schema } };
  });
}

function removeSchema(context: SchemaChange, naming: (schemas: MetadataSchemas) => string): Promise<void> {
  return changing(context, (before) => {
    const name = naming(before);
    const nesting = listNesting(before, name);
    if (nesting.length > 0) {
      const details = `the schemas ${nesting.join(', ')} have definitions with object_type ${name}: retire those first`;
      throw new ServiceError('resource_in_use', { details, resource: { id: readMetadataSchemaId(name), type } });
    }
    return { after: Object.fromEntries(Object.entries(before).filter(([one]) => one !== name)), result: undefined };
  });
}

/** Adds a schema. 409 `duplicate_found` if the resource already has a schema. */
export async function createMetadataSchema(context: Managing, projectId: string, body: CreateBody) {
  const { name, schema } = await addSchema(await managedChange(context, projectId), body);
  return showManaged(name, schema);
}

/** Replaces the sent definitions, and keeps the others. The type of a definition cannot change, not even a retired one's. */
export async function updateMetadataSchema(
  context: Managing,
  { projectId, metadataSchemaId }: Place,
  body: UpdateBody,
) {
  const changed = await managedChange(context, projectId);
  const { name, schema } = await changeSchema(changed, (schemas) => nameOf(schemas, metadataSchemaId), body);
  return showManaged(name, schema);
}

/** Removes the schema. Stored metadata stays. 400 `resource_in_use` while another schema nests it. */
export async function deleteMetadataSchema(context: Managing, { projectId, metadataSchemaId }: Place): Promise<void> {
  const changed = await managedChange(context, projectId);
  await removeSchema(changed, (schemas) => nameOf(schemas, metadataSchemaId));
}

/** Adds a schema to the caller's project, under the rules of the management paths. */
export async function createOwnSchema(context: SchemaChange, body: CreateBody) {
  const { name, schema } = await addSchema(context, body);
  return showPublic(name, schema);
}

/** Updates a schema of the caller's project, by its name or id. */
export async function updateOwnSchema(context: SchemaChange, nameOrId: string, body: UpdateBody) {
  const { name, schema } = await changeSchema(context, (schemas) => nameOf(schemas, nameOrId, true), body);
  return showPublic(name, schema);
}

/** Deletes a schema of the caller's project, by its name or id. */
export function deleteOwnSchema(context: SchemaChange, nameOrId: string): Promise<void> {
  return removeSchema(context, (schemas) => nameOf(schemas, nameOrId, true));
}

function sortedNames(schemas: MetadataSchemas): string[] {
  return Object.keys(schemas).sort();
}

/** Sorts by name, because a stored map has no order. */
export async function listManagedSchemas(context: Managing, projectId: string) {
  const { id } = await managedProjectOr404(context, projectId);
  const schemas = (await readSchemas(context.table, id)) ?? {};
  return wrapList(sortedNames(schemas).map((name) => showManaged(name, schemaOr404(schemas, name))));
}

export async function getManagedSchema(context: Managing, { projectId, metadataSchemaId }: Place) {
  const { id } = await managedProjectOr404(context, projectId);
  const schemas = (await readSchemas(context.table, id)) ?? {};
  const name = nameOf(schemas, metadataSchemaId);
  return showManaged(name, schemaOr404(schemas, name));
}

/** Lists the schemas as callers under `/v1` see them. */
export async function listMetadataSchemas({ table, project }: Reading) {
  const stored = (await readSchemas(table, project.id)) ?? {};
  const schemas = sortedNames(stored).map((name) => showPublic(name, schemaOr404(stored, name)));
  return { object: 'list' as const, data_ref: 'schemas' as const, schemas, total: schemas.length };
}

/** Returns the schema of a resource, or a custom schema, by its name or id. 404 if the project has no such schema. */
export async function getMetadataSchema({ table, project }: Reading, nameOrId: string) {
  const schemas = (await readSchemas(table, project.id)) ?? {};
  const name = nameOf(schemas, nameOrId, true);
  return showPublic(name, schemaOr404(schemas, name));
}
