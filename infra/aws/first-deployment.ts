import * as v from 'valibot';
import type { AskAws } from './ask-aws.ts';

const stacks = v.object({ Stacks: v.array(v.object({ StackStatus: v.string() })) });

/** Returns the state of a stack, `undefined` if it does not exist, or why AWS did not say. */
export async function readStackStatus(ask: AskAws, name: string): Promise<{ status: string | undefined } | string> {
  const reply = await ask(['cloudformation', 'describe-stacks', '--stack-name', name]);
  if (!reply.ok) return /does not exist/.test(reply.why) ? { status: undefined } : reply.why;
  return { status: v.parse(stacks, reply.value).Stacks[0]?.StackStatus };
}

/** Says whether a deployment would create the stack. A change set that was never executed leaves an empty stack. */
export async function isFirstDeployment(ask: AskAws, stage: string): Promise<boolean> {
  const found = await readStackStatus(ask, `tessera-${stage}`);
  return typeof found === 'object' && [undefined, 'REVIEW_IN_PROGRESS'].includes(found.status);
}

const apis = v.object({
  Items: v.array(
    v.object({
      Name: v.string(),
      Tags: v.optional(v.record(v.string(), v.string()), {}),
      Warnings: v.optional(v.array(v.string()), []),
    }),
  ),
});

/** Returns what the gateway warned of when it imported the routes of a stage. */
export async function listImportWarnings(ask: AskAws, stage: string): Promise<string[]> {
  const reply = await ask(['apigatewayv2', 'get-apis']);
  if (!reply.ok) return [`The warnings of the gateway can't be read: ${reply.why}`];
  return v
    .parse(apis, reply.value)
    .Items.filter(({ Tags }) => Tags.application === 'tessera' && Tags.stage === stage)
    .flatMap(({ Name, Warnings }) => Warnings.map((warning) => `${Name}: ${warning}`));
}
