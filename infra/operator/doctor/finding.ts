import * as v from 'valibot';
import type { AskAws } from '../../aws/ask-aws.ts';
import type { DeployOptions } from '../../aws/options.ts';

/** A fault stops the deployment or loses something. A warning is for the operator to judge. */
type Level = 'fine' | 'warning' | 'fault';

export interface Finding {
  readonly level: Level;
  /** Says what was found. */
  readonly what: string;
  /** The command that mends it. */
  readonly mend?: string;
}

/** Has what every check needs. */
interface Looking {
  readonly ask: AskAws;
  readonly options: DeployOptions;
  readonly now: Date;
  readonly account: string;
  readonly region: string;
  /** Says whether the stage is deployed already. */
  readonly exists: boolean;
}

export type Check = (looking: Looking) => Promise<readonly Finding[]> | readonly Finding[];

export const fine = (what: string): Finding => ({ level: 'fine', what });
export const warning = (what: string, mend: string): Finding => ({ level: 'warning', what, mend });
export const fault = (what: string, mend: string): Finding => ({ level: 'fault', what, mend });

/** Returns a warning that something could not be looked at, with the call to repeat by hand. */
export const unread = (subject: string, args: readonly string[], why: string): Finding =>
  warning(`${subject} can't be read: ${why.split('\n').find(Boolean) ?? why}`, `aws ${args.join(' ')}`);

/** Asks and parses the reply, or returns why not. */
export async function askFor<S extends v.GenericSchema>(
  ask: AskAws,
  args: readonly string[],
  schema: S,
): Promise<{ readonly value: v.InferOutput<S> } | { readonly why: string }> {
  const reply = await ask(args);
  if (!reply.ok) return { why: reply.why };
  const parsed = v.safeParse(schema, reply.value);
  return parsed.success ? { value: parsed.output } : { why: `AWS replied ${JSON.stringify(reply.value)}` };
}
