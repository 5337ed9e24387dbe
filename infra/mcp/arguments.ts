import { walkEntries } from '#kernel/core/walk-entries.ts';
import { showPlainly } from './plain-text.ts';
import type { Tool } from './tool.ts';

/** Checks the arguments that a model sends to a tool, before they become an address. */

export type Arguments = Readonly<Record<string, unknown>>;

/** Limits the levels, because no object of the API is nested deeper. */
export const maxLevels = 64;

/** Limits the unknown arguments that an answer names, and the letters of each. */
const maxNamed = 10;
export const maxName = 100;

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const [, inner] of walkEntries(value)) if (isDeeper(inner, levels - 1)) return true;
  return false;
}

/** Returns the name of an argument with more levels than any object of the API. */
export function findDeepArgument(sent: Arguments): string | undefined {
  return Object.entries(sent).find(([, value]) => isDeeper(value, maxLevels))?.[0];
}

/** Returns, for each unknown argument, that the tool does not have it, with the arguments that exist. */
export function explainUnknownArguments({ name, inputSchema }: Tool, sent: Arguments): string[] {
  const known = Object.keys(Object(inputSchema.properties));
  const unknown = Object.keys(sent).filter((one) => !known.includes(one));
  const others = known.length > 0 ? `, but ${known.join(', ')}` : '';
  const advice = known.includes('body') ? ': fields of the request belong in body' : '';
  return unknown
    .slice(0, maxNamed)
    .map((one) => `${showPlainly(one).slice(0, maxName)}: ${name} has no such argument${others}${advice}`);
}

/** Returns the path with its arguments, or the fault of one of them. */
export function fillPath(path: string, sent: Arguments): { path: string } | { fault: string } {
  let fault: string | undefined;
  const filled = path.replaceAll(/\{(\w+)\+?\}/g, (_, name: string) => {
    const value = Object.hasOwn(sent, name) ? sent[name] : undefined;
    fault ??= explainSegment(name, value);
    return fault === undefined ? encodeURIComponent(String(value)) : '';
  });
  return fault === undefined ? { path: filled } : { fault };
}

function explainSegment(name: string, value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '') return `the argument ${name} must be a text`;
  if (!value.isWellFormed()) return `the argument ${name} must be well-formed Unicode`;
  // An address ends a path at these segments, also if they are percent-encoded, and names another operation.
  if (value === '.' || value === '..') {
    return `the argument ${name} must not be "${value}": send the code or id of an object`;
  }
  return undefined;
}
