/** The project file can't be loaded. One line a fault, each beginning with its place in the file. */
export class ProjectFileError extends Error {
  readonly faults: readonly string[];

  /** `partly`: what was in the way came between the check and the write, so that some of the file is written. */
  constructor(faults: readonly string[], { partly = false } = {}) {
    const count = faults.length === 1 ? 'a fault' : `${faults.length} faults`;
    super(
      partly
        ? 'the load has stopped on its way, and goes on when it is run again'
        : `the project file has ${count}; nothing was written`,
    );
    this.faults = faults;
  }
}

/** There is no file to read under the path. */
export class UnreadableFileError extends Error {
  /** Of the operating system, such as ENOENT. */
  readonly code: string;

  constructor(path: string, cause: unknown) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    super(`${path} cannot be read (${code})`, { cause });
    this.code = code;
  }
}

/** Nothing can be written under the path. */
export class UnwritableFileError extends Error {
  constructor(path: string, cause: unknown) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    super(code === 'EEXIST' ? `${path} is there already` : `${path} cannot be written (${code})`, { cause });
  }
}
