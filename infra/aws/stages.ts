import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import * as v from 'valibot';
import { describeIssues } from '#kernel/core/issues.ts';
import { findClosest } from '#kernel/core/spelling.ts';

/**
 * A company's stages are declared in one committed file, so that a deployment does not depend on remembered options.
 */

/** Reports a mistake in options or stages before anything is deployed. */
export class OptionsError extends Error {}

/** A stage's name becomes part of names that AWS limits. */
export const stageName = v.pipe(
  v.string('must be a text'),
  v.regex(/^[a-z][a-z0-9-]{0,15}$/, 'must be 1 to 16 lower-case letters, digits or hyphens, a letter first'),
);

/** `pr-*` declares every stage that begins with `pr-`. */
const declaredName = v.pipe(
  v.string(),
  v.regex(/^[a-z][a-z0-9-]{0,14}(\*|[a-z0-9-])?$/, 'must be the name of a stage, or the beginning of names and a *'),
);

const stagesShape = v.record(declaredName, v.record(v.string(), v.unknown()));

/** Maps stage names to options that are not checked yet. */
export type Stages = v.InferOutput<typeof stagesShape>;

export const defaultStagesFile = 'stages.json';

/** Reads the file of stages. A relative path begins at the project's folder. */
export function readStages(file: string = defaultStagesFile): Stages {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(resolve(import.meta.dirname, '../..', file), 'utf8'));
  } catch (error) {
    throw new OptionsError(`stages: the file can't be read: ${error instanceof Error ? error.message : error}`);
  }
  const { success, issues, output } = v.safeParse(stagesShape, content);
  if (!success)
    throw new OptionsError(
      [`stages: ${file} is not a valid file of stages:`, ...describeIssues(issues, 'it')].join('\n'),
    );
  return output;
}

/** Returns the declared stage that was probably meant: one of nearly this name, or its short or long form. */
function findMeant(stage: string, names: readonly string[]): string | undefined {
  const whole = names.filter((name) => !name.endsWith('*'));
  const isForm = (name: string) => name.startsWith(stage) || stage.startsWith(name);
  return findClosest(stage, whole) ?? whole.find(isForm);
}

/** Returns the options of a stage. Refuses an undeclared stage, because its settings would be a guess. */
export function findStageOptions(stage: string, stages: Stages): Readonly<Record<string, unknown>> {
  const beginnings = Object.keys(stages).filter((name) => name.endsWith('*') && stage.startsWith(name.slice(0, -1)));
  const [longest = ''] = beginnings.toSorted((a, b) => b.length - a.length);
  const declared = [stage, longest].filter((name) => Object.hasOwn(stages, name)).map((name) => stages[name])[0];
  if (declared === undefined) {
    const names = Object.keys(stages);
    const meant = findMeant(stage, names);
    const question = meant === undefined ? '' : `Did you mean ${meant}? `;
    throw new OptionsError(
      `stage ${stage} is not declared. ${question}The file of stages has ${names.join(', ')}: add "${stage}": {} to it`,
    );
  }
  return declared;
}
