/** A file that comes in or goes out: rows, an export, a report. */
export interface KeptFile {
  /** Where it stands, below its project: `exports/exp_1.csv`. */
  place: string;
  projectId: string;
  /** What a browser calls it when it saves it. */
  name: string;
  /** Media type. */
  type: string;
  content: string | Uint8Array;
}

/** Where files are kept that are too large for the table or for a reply. They go by themselves a week later. */
export interface Files {
  /** Again under the same place: what was there is replaced. */
  put: (file: KeptFile) => Promise<void>;
  /** Its text. Throws where it is not there. */
  read: (file: Pick<KeptFile, 'projectId' | 'place'>) => Promise<string>;
  /**
   * An address at which anybody can read the file, for 24 hours at most. It is signed with the credentials of the moment, and ends
   * with them: those of a Lambda function last for some hours, so a reply signs anew each time it shows the file.
   */
  link: (file: Pick<KeptFile, 'projectId' | 'place'>) => Promise<string>;
}

export const linkLifeInSeconds = 24 * 60 * 60;
export const fileLifeInDays = 7;
