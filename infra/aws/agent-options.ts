import * as v from 'valibot';
import type { Options } from '../command-line.ts';

/** The rights of agents: to call tools that read, or also tools that change data. */
const rights = ['read', 'act'] as const;

export type AgentRight = (typeof rights)[number];

export const agentOptions = {
  agents: {
    type: 'string',
    value: 'RIGHT',
    words: 'lets agents read, or also act, at /mcp: read, act or off (off)',
  },
} as const satisfies Options;

export const agentEntries = {
  agents: v.optional(
    v.pipe(
      v.union([v.literal(false), v.picklist(['off', ...rights])], 'must be read, act or off'),
      v.transform((right) => right || 'off'),
    ),
    'off',
  ),
};
