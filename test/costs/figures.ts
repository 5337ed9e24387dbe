import * as v from 'valibot';

/** The figures that are measured of one call. */
const callFigures = v.object({
  name: v.string(),
  /** The first call of its kind in a container, because the example can be carried out only once; else a later call. */
  isFirst: v.boolean(),
  memoryMb: v.number(),
  bundleKb: v.number(),
  replyBytes: v.number(),
  /** The line of the function's own log. */
  logBytes: v.number(),
  /** Rounds of calls of the table that wait for each other. */
  rounds: v.number(),
  calls: v.number(),
  readUnits: v.number(),
  writeUnits: v.number(),
});

export type CallFigures = v.InferOutput<typeof callFigures>;

const tillFigures = v.object({
  ...callFigures.entries,
  operation: v.string(),
  /** The items that stay in the table, as JSON. */
  keptBytes: v.number(),
});

export type TillFigures = v.InferOutput<typeof tillFigures>;

export const measured = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ operations: v.array(callFigures), tills: v.array(tillFigures) }),
);

export type Measured = v.InferOutput<typeof measured>;
