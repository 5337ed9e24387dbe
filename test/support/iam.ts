import type { Template } from 'aws-cdk-lib/assertions';
import * as v from 'valibot';
import { isLeadingKey } from './permissions.ts';
import { resourcesIn } from './template.ts';

/** Decides by the template alone what IAM lets the role of a function do to an item. */

const oneOrMore = v.pipe(
  v.union([v.string(), v.array(v.string())]),
  v.transform((some) => [some].flat()),
);
const leadingKeys = v.strictObject({ 'dynamodb:LeadingKeys': oneOrMore });
const condition = v.strictObject({
  'ForAllValues:StringLike': v.optional(leadingKeys),
  'ForAnyValue:StringLike': v.optional(leadingKeys),
  Null: v.optional(v.strictObject({ 'dynamodb:LeadingKeys': v.literal('false') })),
});
const statement = v.object({
  Effect: v.picklist(['Allow', 'Deny']),
  Action: oneOrMore,
  Resource: v.unknown(),
  Condition: v.optional(v.unknown()),
});
const policy = v.object({
  Properties: v.object({
    Roles: v.array(v.object({ Ref: v.string() })),
    PolicyDocument: v.object({ Statement: v.array(statement) }),
  }),
});
const lambda = v.object({
  Properties: v.object({ Role: v.object({ 'Fn::GetAtt': v.tuple([v.string(), v.literal('Arn')]) }) }),
});

export type Statement = v.InferOutput<typeof statement>;

/** Reads the statements of a function's role. */
export function statementsOf(template: Template, functionId: string): Statement[] {
  const { Role } = v.parse(lambda, resourcesIn(template, 'AWS::Lambda::Function')[functionId]).Properties;
  return Object.values(resourcesIn(template, 'AWS::IAM::Policy'))
    .map((one) => v.parse(policy, one).Properties)
    .filter(({ Roles }) => Roles.some(({ Ref }) => Ref === Role['Fn::GetAtt'][0]))
    .flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
}

function isMet(sent: unknown, keys: readonly string[]): boolean {
  if (sent === undefined) return true;
  const { 'ForAllValues:StringLike': all, 'ForAnyValue:StringLike': any, Null: present } = v.parse(condition, sent);
  const isLike = (patterns: readonly string[]) => (key: string) => patterns.some((one) => isLeadingKey(one, key));
  // Without a key `ForAllValues` is true and `ForAnyValue` is false.
  if (all && !keys.every(isLike(all['dynamodb:LeadingKeys']))) return false;
  if (any && !keys.some(isLike(any['dynamodb:LeadingKeys']))) return false;
  return !present || keys.length > 0;
}

/** Reads the file actions of a function, each with its objects. */
export function fileActionsOf(template: Template, functionId: string): string[] {
  return statementsOf(template, functionId).flatMap(({ Action, Resource }) =>
    Action.filter((action) => action.startsWith('s3:')).map((action) => {
      const [, objects = ''] = /"(\/[^"]*)"\]\]\}$/.exec(JSON.stringify([Resource].flat()[0])) ?? [];
      return `${action} ${objects}`;
    }),
  );
}

/** Returns whether the statements let through an action on the items of these partition keys. */
export function isAllowed(statements: readonly Statement[], action: string, keys: readonly string[]): boolean {
  const fitting = statements.filter(({ Action, Condition }) => Action.includes(action) && isMet(Condition, keys));
  return fitting.some(({ Effect }) => Effect === 'Allow') && fitting.every(({ Effect }) => Effect !== 'Deny');
}
