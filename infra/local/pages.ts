import { matchPath } from '#kernel/http/match.ts';
import { consoleFiles } from '../console/files.ts';
import { consolePaths, createConsoleHandler } from '../console/handler.ts';
import { type DemoKey, docsFiles } from '../docs/files.ts';
import { createPublicHandler } from '../docs/handler.ts';
import { leaveOutOperations } from '../docs/left-out-operations.ts';
import type { PublicHandler } from '../docs/public-reply.ts';
import { withoutLeftOut } from '../left-out.ts';
import { requestLines } from '../operations.ts';

export interface Pages {
  readonly answer: PublicHandler;
  /** Builds the console before it is opened. */
  readonly prepare: () => void;
}

/** Makes a value at its first use, so that no start waits for it. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Serves the docs and the console, and answers unknown paths. The key is filled in on the pages. */
export function createPages(
  log: (line: string) => void,
  demoKey: DemoKey | undefined,
  leftOut: readonly string[],
): Pages {
  const served = withoutLeftOut(requestLines, leftOut);
  const docs = createPublicHandler({
    files: once(async () => leaveOutOperations(await docsFiles(demoKey), requestLines, served)()),
    home: '/console',
    requestLines: served,
    log,
    logsPaths: true,
  });
  const files = once(() => consoleFiles(demoKey));
  const console = createConsoleHandler({ files, log });
  const isOfConsole = (path: string) => consolePaths.some((pattern) => matchPath(pattern, path));
  return {
    answer: (event) => (isOfConsole(event.rawPath) ? console(event) : docs(event)),
    // A failure is thrown again at the first request.
    prepare: () => void files().catch(() => {}),
  };
}
