import * as v from 'valibot';
import { ProjectFileError, UnreadableFileError, UnwritableFileError } from '#addons/admin/project-file/faults.ts';
import { describeIssues } from '#kernel/core/issues.ts';
import { Complaint } from './command-line.ts';

/**
 * Defines the environment that commands share, and its complaints, which explain what to correct there or in a project
 * file.
 */

function isHttpUrl(text: string): boolean {
  return /^https?:\/\/[^\s/]+\/?$/.test(text) && URL.canParse(text);
}

export const endpointUrl = v.pipe(v.string(), v.check(isHttpUrl, 'must be an http or https URL'));
export const tableName = v.pipe(
  v.string(),
  v.regex(/^[\w.-]{3,255}$/, 'must have 3 to 255 letters, digits, "_", "-" or "."'),
);

/** Reads the settings. An empty variable counts as not set. */
export function readSettings<S extends v.GenericSchema>(schema: S, env: NodeJS.ProcessEnv): v.InferOutput<S> {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const result = v.safeParse(schema, given);
  if (result.success) return result.output;
  throw new Complaint('The environment is not valid:', describeIssues(result.issues, 'the environment'));
}

/** Returns a complaint if the operator can correct the project file. Returns other errors unchanged. */
export function toComplaint(error: unknown, path: string): unknown {
  if (error instanceof ProjectFileError) return new Complaint(`${path}: ${error.message}`, error.faults);
  if (error instanceof UnreadableFileError) return new Complaint(`The project file ${error.message}.`);
  if (error instanceof UnwritableFileError) return new Complaint(`The project file ${error.message}.`);
  return error;
}
