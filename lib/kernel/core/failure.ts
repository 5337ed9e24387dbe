import { readFileSync } from 'node:fs';
import type { SourceMap, SourceOrigin } from 'node:module';

const placeInBundle = /(file:\/\/[^\s()]+\.mjs):(\d+):(\d+)/g;

const sourceMaps = new Map<string, SourceMap | undefined>();

function sourceMapOf(url: string): SourceMap | undefined {
  if (!sourceMaps.has(url)) sourceMaps.set(url, readSourceMap(new URL(`${url}.map`)));
  return sourceMaps.get(url);
}

/** Reads a source map. Returns `undefined` if it cannot be read, so that it does not hide the failure. */
function readSourceMap(url: URL): SourceMap | undefined {
  // An import would load the reader of source maps at each start.
  const { SourceMap } = process.getBuiltinModule('node:module');
  try {
    return new SourceMap(JSON.parse(readFileSync(url, 'utf8')));
  } catch {
    return undefined;
  }
}

/**
 * Returns the stack with places in our sources instead of the bundle. Node.js could do this (`--enable-source-maps`),
 * but would read every map at each start, which costs a tenth of an import.
 */
function stackOf({ stack }: Error): string | undefined {
  return stack?.replace(placeInBundle, (place, url, line, column) => {
    const origin: Partial<SourceOrigin> = sourceMapOf(url)?.findOrigin(Number(line), Number(column)) ?? {};
    // Sources are named relative to the folder of the bundle.
    const source = origin.fileName?.replace(/^(\.\.\/)+/, '');
    return source === undefined ? place : `${source}:${origin.lineNumber}:${origin.columnNumber}`;
  });
}

/** Describes an unexpected failure for the log by name, message and stack, without the values that it may carry. */
export function describeFailure(failure: unknown) {
  if (!(failure instanceof Error)) return { cause: typeof failure };
  return { cause: failure.name, cause_message: failure.message, stack: stackOf(failure) };
}
