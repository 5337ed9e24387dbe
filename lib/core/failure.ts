import { readFileSync } from 'node:fs';
import type { SourceMap, SourceOrigin } from 'node:module';

const placeInBundle = /(file:\/\/[^\s()]+\.mjs):(\d+):(\d+)/g;

const sourceMaps = new Map<string, SourceMap | undefined>();

function sourceMapOf(url: string): SourceMap | undefined {
  if (!sourceMaps.has(url)) sourceMaps.set(url, readSourceMap(new URL(`${url}.map`)));
  return sourceMaps.get(url);
}

/** What can't be read must not hide the failure that it was wanted for. */
function readSourceMap(url: URL): SourceMap | undefined {
  // Not imported: what reads source maps would be loaded at each start.
  const { SourceMap } = process.getBuiltinModule('node:module');
  try {
    return new SourceMap(JSON.parse(readFileSync(url, 'utf8')));
  } catch {
    return undefined;
  }
}

/**
 * The stack with places in our sources for those in a bundle. Node.js does the same by itself (`--enable-source-maps`), but goes
 * through all code and reads every map at each start, a tenth of an import, to be ready for a failure that rarely comes.
 */
function stackOf({ stack }: Error): string | undefined {
  return stack?.replace(placeInBundle, (place, url, line, column) => {
    const origin: Partial<SourceOrigin> = sourceMapOf(url)?.findOrigin(Number(line), Number(column)) ?? {};
    // Sources are named from the folder of the bundle, wherever that was made.
    const source = origin.fileName?.replace(/^(\.\.\/)+/, '');
    return source === undefined ? place : `${source}:${origin.lineNumber}:${origin.columnNumber}`;
  });
}

/** Of an unexpected failure, for the log: what it is, what it says of itself and where it happened, without the values that it may carry. */
export function causeOf(failure: unknown) {
  if (!(failure instanceof Error)) return { cause: typeof failure };
  return { cause: failure.name, cause_message: failure.message, stack: stackOf(failure) };
}
