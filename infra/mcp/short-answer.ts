import { isRecord } from '../../lib/core/is-record.ts';

/** Limits of an answer. A model reads an answer whole, and pays for each of its words. */
const maxElements = 20;
const maxText = 500;
const maxCharacters = 24_000;

/** Leaves out what says nothing: absent values, and empty lists and objects inside of other objects. */
function isSilent(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isRecord(value) && Object.keys(value).length === 0;
}

function shorten(value: unknown): unknown {
  if (typeof value === 'string') return value.length > maxText ? `${value.slice(0, maxText)}…` : value;
  if (Array.isArray(value)) {
    const shown = value.slice(0, maxElements).map(shorten);
    return value.length > maxElements ? [...shown, `and ${value.length - maxElements} more`] : shown;
  }
  if (!isRecord(value)) return value;
  const told = Object.entries(value).filter(([, inner]) => !isSilent(inner));
  return Object.fromEntries(told.map(([key, inner]) => [key, shorten(inner)]));
}

/** Writes the answer of the API as short JSON, with links to the same answer and to its description. */
export function writeShortAnswer(answer: unknown, links: Readonly<Record<string, string>>): string {
  const text = JSON.stringify({ answer: shorten(answer), links });
  if (text.length <= maxCharacters) return text;
  const cut = text.slice(0, maxCharacters);
  return `${cut}… The answer is longer than ${maxCharacters} characters: ask for fewer elements with limit, or for one of them. ${JSON.stringify({ links })}`;
}
