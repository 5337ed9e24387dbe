import { ServiceError } from '../errors.ts';

/**
 * Days after which the bucket removes files: rows of imports, uploads of callers, reports on rows, parts of unfinished files, payloads of
 * events, exports. A payload outlives its event, which can be sent again for 30 days.
 */
export const fileLifeInDays = { rows: 7, uploads: 7, reports: 7, parts: 7, events: 31, exports: 90 } as const;

/** All areas of files. Archives of old records stay until an operator removes them. */
export const fileAreas = [
  'rows',
  'uploads',
  'reports',
  'parts',
  'events',
  'exports',
  'archives',
] as const satisfies readonly (keyof typeof fileLifeInDays | 'archives')[];

export interface FilePlace {
  /** Decides how long the file stays. */
  area: (typeof fileAreas)[number];
  projectId: string;
  /** The path within the area of the project, such as `exp_1.csv`. */
  place: string;
}

export interface FileKind {
  /** The file name that a browser suggests. */
  name: string;
  /** Media type. */
  type: string;
}

/** A file of an import or an export. */
export interface KeptFile extends FilePlace, FileKind {
  content: string | Uint8Array;
}

/** Stores files that are too large for the table or for a reply. */
export interface Files {
  /** Writes the file, and replaces an earlier file in the same place. */
  put: (file: KeptFile) => Promise<void>;
  /** Returns the text of the file. Throws if the file is missing. */
  read: (file: FilePlace) => Promise<string>;
  /** Joins files in their order. The result appears whole, or not at all. */
  join: (file: FilePlace & FileKind, parts: readonly FilePlace[]) => Promise<void>;
  /** Removes the file. Has no effect if the file is missing. */
  remove: (file: FilePlace) => Promise<void>;
  /** Removes all files of the project, in every area. */
  removeAll: (projectId: string) => Promise<void>;
  /**
   * Returns an address that lets any client read the file, for 24 hours at most. The address expires earlier with the
   * credentials that sign it. A Lambda function's credentials last some hours, so each reply signs a new address.
   */
  link: (file: FilePlace) => Promise<string>;
  /** Returns an address that lets any client upload exactly `bytes` bytes, for an hour at most. */
  address: (file: FilePlace, bytes: number) => Promise<string>;
  /** Returns the current size and version, or `undefined` if the file is missing. */
  state: (file: FilePlace) => Promise<FileState | undefined>;
  /** Reads the file from a byte on, piece by piece. Throws if the file is missing. 400 if its version is not `version`. */
  pieces: (file: FilePlace, from: number, version?: string) => AsyncIterable<Uint8Array>;
}

interface FileState {
  readonly bytes: number;
  /** Changes when other content is uploaded, even if it has the same size. */
  readonly version: string;
}

export function fileChanged(): ServiceError {
  const details = 'the file was uploaded again during its import: ask for a new address and upload the file once';
  return new ServiceError('invalid_payload', { details });
}

export const addressLifeInSeconds = 60 * 60;

export const linkLifeInSeconds = 24 * 60 * 60;
