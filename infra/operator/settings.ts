import * as v from 'valibot';
import { ProjectFileError, UnreadableFileError, UnwritableFileError } from '../../lib/project-file/faults.ts';
import { describeIssues } from '../../lib/schema.ts';

/** What the commands of an operator share: reading the environment, and telling what to mend in it or in the file. */

/** What the person at the terminal can mend: a headline, and what belongs under it. */
export class Complaint extends Error {
  readonly lines: readonly string[];

  constructor(headline: string, lines: readonly string[] = []) {
    super(headline);
    this.lines = lines;
  }

  get text(): string {
    return [this.message, ...this.lines.map((line) => `  ${line}`)].join('\n');
  }
}

function isHttpUrl(text: string): boolean {
  return /^https?:\/\/[^\s/]+\/?$/.test(text) && URL.canParse(text);
}

export const endpointUrl = v.pipe(v.string(), v.check(isHttpUrl, 'must be an http or https URL'));
export const tableName = v.pipe(
  v.string(),
  v.regex(/^[\w.-]{3,255}$/, 'must have 3 to 255 letters, digits, "_", "-" or "."'),
);

/** An empty variable counts as one that is not set. */
export function readSettings<S extends v.GenericSchema>(schema: S, env: NodeJS.ProcessEnv): v.InferOutput<S> {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const result = v.safeParse(schema, given);
  if (result.success) return result.output;
  throw new Complaint('The environment is not valid:', describeIssues(result.issues, 'the environment'));
}

/** Tells of a project file what the operator can mend; anything else stays as it is. */
export function toldOfFile(error: unknown, path: string): unknown {
  if (error instanceof ProjectFileError) return new Complaint(`${path}: ${error.message}`, error.faults);
  if (error instanceof UnreadableFileError) return new Complaint(`The project file ${error.message}.`);
  if (error instanceof UnwritableFileError) return new Complaint(`The project file ${error.message}.`);
  return error;
}
