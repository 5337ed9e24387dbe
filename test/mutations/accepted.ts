/** A condition that no test can miss, because something else of the same transaction refuses whatever it would. */
export interface Accepted {
  /** The end of its path. */
  readonly file: string;
  /** The condition as it stands, on one line. */
  readonly condition: string;
  readonly reason: string;
}

export const accepted: readonly Accepted[] = [];
