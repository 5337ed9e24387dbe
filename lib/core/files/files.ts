import { ServiceError } from '../errors.ts';

/** Days after which files go by themselves: rows that came in, files that callers put, parts of a file that is being made, exports. */
export const fileLifeInDays = { rows: 7, uploads: 7, parts: 7, exports: 90 } as const;

export interface FilePlace {
  /** What it is, and so how long it stays. Archives of old records stay until somebody removes them. */
  area: keyof typeof fileLifeInDays | 'archives';
  projectId: string;
  /** In its area of its project, such as `exp_1.csv`. */
  place: string;
}

export interface FileKind {
  /** What a browser calls it when it saves it. */
  name: string;
  /** Media type. */
  type: string;
}

/** A file that comes in or goes out: rows, an export, a report. */
export interface KeptFile extends FilePlace, FileKind {
  content: string | Uint8Array;
}

/** Where files are kept that are too large for the table or for a reply. */
export interface Files {
  /** Again under the same place: what was there is replaced. */
  put: (file: KeptFile) => Promise<void>;
  /** Its text. Throws where it is not there. */
  read: (file: FilePlace) => Promise<string>;
  /** Makes one file of others, in their order; it is there whole or not at all. */
  join: (file: FilePlace & FileKind, parts: readonly FilePlace[]) => Promise<void>;
  /** What is not there is as good as removed. */
  remove: (file: FilePlace) => Promise<void>;
  /**
   * An address at which anybody can read the file, for 24 hours at most. It is signed with the credentials of the moment, and ends
   * with them: those of a Lambda function last for some hours, so a reply signs anew each time it shows the file.
   */
  link: (file: FilePlace) => Promise<string>;
  /** Returns an address to which anybody can put the file, of so many bytes, for an hour at most. */
  address: (file: FilePlace, bytes: number) => Promise<string>;
  /** Returns the file as it is now, or `undefined` where it does not exist. */
  state: (file: FilePlace) => Promise<FileState | undefined>;
  /** Reads the file from a byte on, piece by piece. Throws where it does not exist. Refuses (400) another version than is asked for. */
  pieces: (file: FilePlace, from: number, version?: string) => AsyncIterable<Uint8Array>;
}

export interface FileState {
  readonly bytes: number;
  /** Differs once the file was put again with other content, also of the same size. */
  readonly version: string;
}

export function fileChanged(): ServiceError {
  const details = 'the file was put again after its import had begun: ask for a new address, and put it there once';
  return new ServiceError('invalid_payload', { details });
}

export const addressLifeInSeconds = 60 * 60;

export const linkLifeInSeconds = 24 * 60 * 60;
