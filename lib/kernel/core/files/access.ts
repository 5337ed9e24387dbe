import * as v from 'valibot';
import { readEnvironment } from '../environment.ts';
import type { FilePlace, Files } from './files.ts';

const environment = v.object({
  FILES_BUCKET: v.string(),
  /** The address of a local S3. */
  FILES_ENDPOINT: v.optional(v.pipe(v.string(), v.url())),
});

/** A right to write, read, remove or list the files of one area. */
export type FileRight = `${'put' | 'read' | 'remove' | 'list'} ${FilePlace['area']}`;

/** Gives an operation the bucket. Only functions with this access load the client of S3. */
export interface FileAccess {
  readonly rights: readonly FileRight[];
  readonly open: (env: NodeJS.ProcessEnv) => Files;
}

/** Returns the files of the environment's bucket. The first call that needs a file opens it. */
export function composeFiles(env: NodeJS.ProcessEnv): Files {
  let opened: Promise<Files> | undefined;
  const files = () => {
    opened ??= import('./bucket.ts').then(({ createBucketFiles, createS3Client }) => {
      const { FILES_BUCKET, FILES_ENDPOINT } = readEnvironment(environment, env);
      return createBucketFiles(createS3Client(FILES_ENDPOINT), FILES_BUCKET);
    });
    return opened;
  };
  return {
    put: async (file) => (await files()).put(file),
    read: async (file) => (await files()).read(file),
    join: async (file, parts) => (await files()).join(file, parts),
    remove: async (file) => (await files()).remove(file),
    removeAll: async (projectId) => (await files()).removeAll(projectId),
    link: async (file) => (await files()).link(file),
    address: async (file, bytes) => (await files()).address(file, bytes),
    state: async (file) => (await files()).state(file),
    pieces: async function* (...asked) {
      yield* (await files()).pieces(...asked);
    },
  };
}

export const keepsFiles: FileAccess = { rights: ['put rows'], open: composeFiles };
export const importsFiles: FileAccess = { rights: ['put rows', 'put uploads', 'read uploads'], open: composeFiles };
export const showsFiles: FileAccess = { rights: ['read exports'], open: composeFiles };
export const showsReports: FileAccess = { rights: ['read reports'], open: composeFiles };
/** Rights to show the payloads of events that the table has no room for. */
export const showsEvents: FileAccess = { rights: ['read events'], open: composeFiles };
export const removesFiles: FileAccess = { rights: ['remove exports', 'remove parts'], open: composeFiles };
