import * as v from 'valibot';
import { clientSwitches } from '#kernel/access/projects/client-switches.ts';
import { decimalsOfSent } from '#kernel/access/projects/currency.ts';
import { codeSettings } from '#kernel/access/projects/default-code-config.ts';
import {
  isProjectDeleted,
  listedProjects,
  metadataSchemasItem,
  metadataSchemasOf,
  type Project,
  projectItem,
  projectsById,
  toProject,
} from '#kernel/access/projects/project.ts';
import { newSecret } from '#kernel/access/projects/secret.ts';
import type { MetadataSchemas } from '#kernel/core/metadata/definition.ts';
import { itemMarks } from '#kernel/table/kind.ts';
import type { Table } from '#kernel/table/table.ts';
import { Update } from '#kernel/table/update.ts';
import { isStoredSetting, type StoredSetting, storedSettings } from '../management/project-settings.ts';
import { ProjectFileError } from './faults.ts';
import type { FileProject } from './lists.ts';

/** `loaded_file` is the SHA-256 of the last file that was loaded completely. */
const loadedProjectItem = v.object({ ...projectItem.entries, loaded_file: v.optional(v.string()) });

/** The part of a checked file that is stored with its project. */
interface LoadedFile {
  /** The SHA-256 of the file. */
  hash: string;
  project: FileProject;
}

export interface StoredProject {
  project: Project;
  /** The time of the project's first load. It dates entries without a date, equally at every load. */
  createdAt: string;
  loadedFile: string | undefined;
  schemas: MetadataSchemas;
}

export async function findStoredProject(table: Table, id: string): Promise<StoredProject | undefined> {
  const [item, beside] = await Promise.all([
    table.get(projectsById(id), loadedProjectItem),
    table.get(metadataSchemasOf(id), metadataSchemasItem),
  ]);
  return item && storedProjectOf(item, beside?.schemas);
}

function storedProjectOf(item: v.InferOutput<typeof loadedProjectItem>, schemas: MetadataSchemas = {}): StoredProject {
  return { schemas, project: toProject(item, schemas), createdAt: item.created_at, loadedFile: item.loaded_file };
}

const settingNames: readonly StoredSetting[] = Object.keys(storedSettings).filter(isStoredSetting);

const deletedProject = 'project.id: the project was deleted, and no other project gets its id: choose another id';

/** Removes the mark of the last file, because until this load is complete the table holds no file completely. */
export async function beginLoad(table: Table, { project }: LoadedFile, now: string): Promise<StoredProject> {
  const key = projectsById(project.id);
  if (await isProjectDeleted(table, project.id)) throw new ProjectFileError([deletedProject]);
  const attributes = {
    ...project,
    features: project.features ?? {},
    client: v.parse(clientSwitches, project.client ?? {}),
    client_metadata: project.client_metadata ?? [],
    codes: v.parse(codeSettings, project.codes ?? {}),
    retention: project.retention ?? {},
  };
  await table.insert(listedProjects.at(project.id), { project_id: project.id });
  const item = { ...attributes, ...decimalsOfSent(project), secret: newSecret(), created_at: now };
  if (await table.insert(key, { ...item, ...itemMarks(key) })) return storedProjectOf(v.parse(loadedProjectItem, item));
  const there: Update = Update.of(key).whenHas('secret').whenThere();
  const update = there
    .set(['name'], attributes.name)
    .set(['features'], attributes.features)
    .set(['client'], attributes.client)
    .set(['client_metadata'], attributes.client_metadata)
    .set(['codes'], attributes.codes)
    .set(['retention'], attributes.retention)
    .remove(['loaded_file']);
  if (project.till_rate === undefined) update.remove(['till_rate']);
  else update.set(['till_rate'], project.till_rate);
  // A setting that the file does not name keeps the value that a request has set
  // (docs/decisions/access-and-projects.md#d-114).
  const before = await table.get(
    key,
    v.object({ currency: v.optional(v.string()), currency_decimals: v.optional(v.number()) }),
  );
  update.take({ ...project, ...decimalsOfSent(project, before) }, settingNames);
  await table.change(key, update.build());
  const stored = await findStoredProject(table, project.id);
  if (!stored) throw new ProjectFileError([deletedProject]);
  return stored;
}

export async function endLoad(table: Table, { project, hash }: LoadedFile): Promise<void> {
  await table.change(projectsById(project.id), {
    set: 'SET #loaded_file = :hash',
    condition: 'attribute_exists(#secret) AND attribute_not_exists(#deleted_at)',
    names: { '#loaded_file': 'loaded_file', '#secret': 'secret', '#deleted_at': 'deleted_at' },
    values: { ':hash': hash },
  });
}
