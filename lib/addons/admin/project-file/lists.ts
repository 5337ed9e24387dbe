import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { clientMetadata, clientSwitches } from '#kernel/access/projects/client-switches.ts';
import { codeSettings } from '#kernel/access/projects/default-code-config.ts';
import { features, projectId, retention, tillRate } from '#kernel/access/projects/project.ts';
import { shortText } from '#kernel/core/schema.ts';
import { findUnknownFields } from '#kernel/http/unknown-fields.ts';
import type { FileList } from '#kernel/kit/entries/list.ts';
import type { Resource } from '#kernel/kit/resource/shape.ts';
import { caseSensitive, storedSettings } from '../management/project-settings.ts';
import { describeResourceList } from './resource-list.ts';

const folder = join(import.meta.dirname, '../../..');

function isResource(value: unknown): value is Resource {
  return typeof value === 'object' && value !== null && 'fileKey' in value && 'stored' in value;
}

function isList(value: unknown): value is FileList {
  return typeof value === 'object' && value !== null && 'parse' in value && 'called' in value;
}

async function listsOf(file: string): Promise<FileList[]> {
  const found: Record<string, unknown> = await import(join(folder, file));
  return Object.values(found).flatMap((value) =>
    isResource(value) ? [describeResourceList(value)] : isList(value) ? [value] : [],
  );
}

const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => /[\\/](?:entries|resource)\.ts$/.test(file))
  .sort();

/** From this stage on, keys are written. Their ids are unique across projects. */
export const firstStageOfKeys = 4;

/** Puts keys first in an exported file, because readers look for them there. */
function placeOf({ stage }: FileList): number {
  return stage < firstStageOfKeys ? stage : 0;
}

/**
 * The lists of project files by their keys, in the order of an export, where most references follow their targets. Files named `entries.ts`
 * export them, and files named `resource.ts` describe their resources.
 */
export const lists: ReadonlyMap<string, FileList> = new Map(
  (await Promise.all(files.map(listsOf)))
    .flat()
    .sort((one, other) => placeOf(one) - placeOf(other) || (one.key < other.key ? -1 : 1))
    .map((list) => [list.key, list]),
);

/** The stages in the order of writing. */
export const stages: readonly number[] = [...new Set([...lists.values()].map(({ stage }) => stage))].sort();

export function findFileList(key: string): FileList {
  const list = lists.get(key);
  if (!list) throw new Error(`project files have no list ${key}`);
  return list;
}

export const project = v.object({
  id: projectId,
  name: shortText,
  features: v.optional(features),
  client: v.optional(clientSwitches),
  client_metadata: v.optional(clientMetadata),
  codes: v.optional(codeSettings),
  retention: v.optional(retention),
  till_rate: v.optional(tillRate),
  ...storedSettings,
  case_sensitive_codes: v.optional(caseSensitive),
});

export type FileProject = v.InferOutput<typeof project>;

/** The fields that any reply may have. A restricted user's replies are `readonly`. */
const ofReplies = v.object({ object: v.string(), readonly: v.boolean() });

/** Returns faults for fields that neither entries nor replies have, because ignored fields would be lost. */
export function findUnknownFaults(key: string, value: unknown, place: string): string[] {
  const list = lists.get(key);
  const shapes = list ? [list.schema, ofReplies, ...(list.shown ? [list.shown] : [])] : [project];
  return [...findUnknownFields(value, shapes)].map(
    ({ place: field, meant }) =>
      `${place}.${field} is no known field${meant === undefined ? '' : `: is ${meant} meant?`}`,
  );
}
