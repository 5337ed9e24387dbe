import { createReadStream } from 'node:fs';
import { Tokenizer, TokenParser, TokenType } from '@streamparser/json';
import { ProjectFileError, UnreadableFileError } from './faults.ts';

/** A top-level key, then its value or each entry of its list. Or a fault in the outline of the file. */
export type FileEntry =
  | { is: 'key'; key: string }
  | { is: 'value'; key: string; value: unknown }
  | { is: 'entry'; key: string; index: number; value: unknown }
  | { is: 'fault'; fault: string };

/** Keys whose value is not a list: the project, and the schema of the file for editors. */
export const singles: readonly string[] = ['project', '$schema'];

const opening = new Set<TokenType>([TokenType.LEFT_BRACE, TokenType.LEFT_BRACKET]);
const closing = new Set<TokenType>([TokenType.RIGHT_BRACE, TokenType.RIGHT_BRACKET]);

async function* bytesOf(path: string): AsyncGenerator<Buffer> {
  try {
    yield* createReadStream(path);
  } catch (error) {
    throw new UnreadableFileError(path, error);
  }
}

/**
 * Walks a project file entry by entry, with a single chunk in memory, however long its lists are. The values of all
 * keys except `singles` must be arrays. Throws `ProjectFileError` if the file is not a JSON object.
 */
export async function* readEntries(path: string, onBytes?: (bytes: Buffer) => void): AsyncGenerator<FileEntry> {
  const found: FileEntry[] = [];
  const values = new TokenParser({ paths: [...singles.map((key) => `$.${key}`), '$.*.*'], keepStack: false });
  let topKey = '';
  values.onValue = ({ key, stack, value }) => {
    if (stack.length === 1) found.push({ is: 'value', key: topKey, value });
    else if (typeof key === 'number') found.push({ is: 'entry', key: topKey, index: key, value });
  };

  const tokens = new Tokenizer();
  let depth = 0;
  let ended = false;
  let afterColon = false;
  tokens.onToken = (token) => {
    if (depth === 0 && token.token !== TokenType.LEFT_BRACE) {
      throw new ProjectFileError(['the file must be a JSON object']);
    }
    if (depth === 1 && afterColon) {
      found.push({ is: 'key', key: topKey });
      if (!singles.includes(topKey) && token.token !== TokenType.LEFT_BRACKET) {
        found.push({ is: 'fault', fault: `${topKey} must be an array` });
      }
    }
    if (depth === 1 && token.token === TokenType.STRING && !afterColon) topKey = String(token.value);
    afterColon = token.token === TokenType.COLON;
    if (opening.has(token.token)) depth += 1;
    if (closing.has(token.token)) depth -= 1;
    values.write(token);
    ended = depth === 0;
  };

  const parse = (step: () => void) => {
    try {
      step();
    } catch (error) {
      if (error instanceof ProjectFileError) throw error;
      throw new ProjectFileError([`the file is not JSON: ${error instanceof Error ? error.message : error}`]);
    }
  };
  for await (const chunk of bytesOf(path)) {
    onBytes?.(chunk);
    parse(() => tokens.write(chunk));
    yield* found.splice(0);
  }
  parse(() => tokens.end());
  yield* found.splice(0);
  if (!ended) throw new ProjectFileError(['the file is not JSON: it ends too early']);
}
