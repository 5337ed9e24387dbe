import { isRecord } from '#kernel/core/is-record.ts';
import { maxLevels } from './arguments.ts';
import { showPlainly } from './plain-text.ts';

/** Limits of an answer. A model reads an answer whole, and pays for each of its words. */
const maxElements = 20;
const maxText = 500;
const maxCharacters = 24_000;

/**
 * Returns whether a value carries no information: an absent value, or an empty list or object inside another object.
 */
function isSilent(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isRecord(value) && Object.keys(value).length === 0;
}

function shortenText(text: string): string {
  const plain = showPlainly(text);
  return plain.length > maxText ? `${plain.slice(0, maxText).toWellFormed()}…` : plain;
}

function shorten(value: unknown, levels: number): unknown {
  if (typeof value === 'string') return shortenText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return 'deeper levels are left out';
  if (Array.isArray(value)) {
    const shown = value.slice(0, maxElements).map((inner) => shorten(inner, levels - 1));
    return value.length > maxElements ? [...shown, `and ${value.length - maxElements} more`] : shown;
  }
  const told = Object.entries(value).filter(([, inner]) => !isSilent(inner));
  return Object.fromEntries(told.map(([key, inner]) => [showPlainly(key), shorten(inner, levels - 1)]));
}

interface Besides {
  /** Arguments and fields of the request without effect. */
  readonly ignored: readonly string[];
  readonly links: Readonly<Record<string, string>>;
}

/** Writes the answer of the API as short JSON, with links to the same answer and to its description. */
export function writeShortAnswer(answer: unknown, { ignored, links }: Besides): string {
  const text = JSON.stringify({
    ...(ignored.length > 0 ? { ignored } : {}),
    answer: shorten(answer, maxLevels),
    links,
  });
  if (text.length <= maxCharacters) return text;
  const cut = text.slice(0, maxCharacters).toWellFormed();
  return `${cut}… The answer is longer than ${maxCharacters} characters: ask for fewer elements with limit, or for one of them. ${JSON.stringify({ links })}`;
}
