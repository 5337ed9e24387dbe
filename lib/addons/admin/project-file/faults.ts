/** The project file cannot be loaded. Each fault is a line that begins with its place in the file. */
export class ProjectFileError extends Error {
  readonly faults: readonly string[];

  /** `partly` means that a conflict arose after the check, so that a part of the file is written. */
  constructor(faults: readonly string[], { partly = false } = {}) {
    const count = faults.length === 1 ? 'a fault' : `${faults.length} faults`;
    super(
      partly
        ? 'the load stopped before its end: run it again to continue'
        : `the project file has ${count}; nothing was written`,
    );
    this.faults = faults;
  }
}

/** The path leads to no readable file. */
export class UnreadableFileError extends Error {
  /** The error code of the operating system, such as ENOENT. */
  readonly code: string;

  constructor(path: string, cause: unknown) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    super(`${path} cannot be read (${code})`, { cause });
    this.code = code;
  }
}

/** The path cannot be written. */
export class UnwritableFileError extends Error {
  constructor(path: string, cause: unknown) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    super(code === 'EEXIST' ? `${path} exists already` : `${path} cannot be written (${code})`, { cause });
  }
}
