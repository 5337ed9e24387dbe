import type * as v from 'valibot';
import { joinFaults, notFound, ServiceError } from '../../core/errors.ts';
import { type MetadataSchema, type MetadataSchemas, schemaOf } from '../../core/metadata/definition.ts';
import { wrapList } from '../../core/schema.ts';
import type { Managing, Reading } from '../../http/context.ts';
import { metadataSchemasOf } from '../../http/projects/project.ts';
import { again, retryOptimistically } from '../../table/conflicts.ts';
import { change, commit, insert } from '../../table/effects.ts';
import { read } from '../../table/read.ts';
import type { Table } from '../../table/table.ts';
import { managedProjectOr404 } from '../management/manager.ts';
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

function nameOf(schemas: MetadataSchemas, schemaId: string): string {
  const name = Object.keys(schemas).find((one) => readMetadataSchemaId(one) === schemaId);
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

/** Changes the schemas. `by` may run again: it gets the stored schemas, and returns the new ones. */
async function changing<T>(
  context: Managing,
  projectId: string,
  by: (before: MetadataSchemas) => { after: MetadataSchemas; result: T },
): Promise<{ result: T }> {
  const { table, credentials } = context;
  const { id } = await managedProjectOr404(context, projectId);
  const changed = await retryOptimistically(table, async () => {
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
  return changed;
}

/** Adds a schema. 409 `duplicate_found` if the resource has one. */
export async function createMetadataSchema(
  context: Managing,
  projectId: string,
  { related_object: name, properties, allow_defined_only }: v.InferOutput<typeof createMetadataSchemaBody>,
) {
  const { result } = await changing(context, projectId, (before) => {
    if (schemaOf(before, name)) {
      const details = `${name} has a metadata schema: update that one`;
      throw new ServiceError('duplicate_found', { details, resource: { id: name, type } });
    }
    const schema: MetadataSchema = {
      properties: toDefinitions(properties),
      ...(allow_defined_only ? { allow_defined_only } : {}),
      created_at: context.now.toISOString(),
    };
    const after = { ...before, [name]: schema };
    requireSound(after, name);
    return { after, result: showManaged(name, schema) };
  });
  return result;
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

/** Replaces the sent definitions, and keeps the others. The type of a definition cannot change, not even a retired one's. */
export async function updateMetadataSchema(
  context: Managing,
  { projectId, metadataSchemaId }: Place,
  { properties, allow_defined_only }: v.InferOutput<typeof updateMetadataSchemaBody>,
) {
  const { result } = await changing(context, projectId, (before) => {
    const name = nameOf(before, metadataSchemaId);
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
    return { after, result: showManaged(name, schema) };
  });
  return result;
}

/** Removes the schema. Stored metadata stays. 400 `resource_in_use` while another schema nests it. */
export async function deleteMetadataSchema(context: Managing, { projectId, metadataSchemaId }: Place): Promise<void> {
  await changing(context, projectId, (before) => {
    const name = nameOf(before, metadataSchemaId);
    const nesting = listNesting(before, name);
    if (nesting.length > 0) {
      const details = `the schemas ${nesting.join(', ')} have definitions with object_type ${name}: retire those first`;
      throw new ServiceError('resource_in_use', { details, resource: { id: metadataSchemaId, type } });
    }
    return { after: Object.fromEntries(Object.entries(before).filter(([one]) => one !== name)), result: undefined };
  });
}

/** Lists the schemas as callers under `/v1` see them. */
export async function listMetadataSchemas({ table, project }: Reading) {
  const stored = (await readSchemas(table, project.id)) ?? {};
  const schemas = sortedNames(stored).map((name) => showPublic(name, schemaOr404(stored, name)));
  return { object: 'list' as const, data_ref: 'schemas' as const, schemas, total: schemas.length };
}

/** Returns the schema of a resource, or a custom schema. 404 if the project has none of this name. */
export async function getMetadataSchema({ table, project }: Reading, name: string) {
  return showPublic(name, schemaOr404((await readSchemas(table, project.id)) ?? {}, name));
}
