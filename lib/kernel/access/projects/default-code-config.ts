import * as v from 'valibot';

/**
 * The form of codes that are generated without an own one (`codeConfig` in lib/engine/ledger/codes/code-space.ts). Requests check it before it
 * is stored.
 */
export const defaultCodeConfigItem = v.object({
  length: v.optional(v.number()),
  charset: v.optional(v.string()),
  pattern: v.optional(v.string()),
  prefix: v.optional(v.string()),
  postfix: v.optional(v.string()),
});

export type DefaultCodeConfig = v.InferOutput<typeof defaultCodeConfigItem>;

/** Decides how codes without a charset are drawn. */
export const codeSettings = v.object({
  /** Excludes 0, O, 1, l and I. */
  avoid_look_alikes: v.optional(v.boolean(), false),
});

export type CodeSettings = v.InferOutput<typeof codeSettings>;
