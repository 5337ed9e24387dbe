import { gunzipSync, gzipSync } from 'node:zlib';
import type { RequestLine } from '#kernel/http/route.ts';
import { type DocsFiles, documentFile } from './handler.ts';

type Operations = Record<string, { tags?: string[] } | undefined>;
interface Document {
  paths: Record<string, Operations>;
  tags: { name: string }[];
}

/** Removes operations from the document, with the paths and tags that lose all their operations. */
function withoutOperations(document: Document, removed: readonly RequestLine[]): Document {
  const isRemoved = (path: string, method: string) =>
    removed.some((line) => line.path === path && line.method.toLowerCase() === method);
  const paths = Object.entries(document.paths).flatMap(([path, operations]) => {
    const left = Object.entries(operations).filter(([method]) => !isRemoved(path, method));
    return left.some(([, { tags } = {}]) => tags) ? [[path, Object.fromEntries(left)] as const] : [];
  });
  const used = new Set(paths.flatMap(([, operations]) => Object.values(operations).flatMap((one) => one?.tags ?? [])));
  return {
    ...document,
    paths: Object.fromEntries(paths),
    tags: document.tags.filter(({ name }) => used.has(name)),
  };
}

/** Returns the files of the docs, whose document has no operation that the stage leaves out. It is written with the first request. */
export function leaveOutOperations(
  files: DocsFiles,
  all: readonly RequestLine[],
  served: readonly RequestLine[],
): () => DocsFiles {
  if (all.length === served.length) return () => files;
  let written: DocsFiles | undefined;
  return () => {
    written ??= new Map([...files, [documentFile, write(files, all, served)]]);
    return written;
  };
}

function write(files: DocsFiles, all: readonly RequestLine[], served: readonly RequestLine[]): Buffer {
  const document = JSON.parse(gunzipSync(files.get(documentFile) ?? '').toString());
  return gzipSync(
    JSON.stringify(
      withoutOperations(
        document,
        all.filter((line) => !served.includes(line)),
      ),
    ),
  );
}
