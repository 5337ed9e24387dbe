import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NestedStack, type Stack, Stage } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import * as v from 'valibot';

const templateShape = v.object({
  Resources: v.record(
    v.string(),
    v.looseObject({ Type: v.string(), Properties: v.optional(v.record(v.string(), v.unknown())) }),
  ),
  Outputs: v.optional(v.record(v.string(), v.looseObject({ Value: v.unknown() })), {}),
});

const nestedStackType = 'AWS::CloudFormation::Stack';
const ref = v.strictObject({ Ref: v.string() });
const getAtt = v.strictObject({ 'Fn::GetAtt': v.tuple([v.string(), v.string()]) });

/** The folder of each synthesised app. The CDK searches the whole app for each template. */
const synthesised = new WeakMap<Stage, string>();

/** Returns the template of the first call. Later changes of the stack have no effect on it. */
function jsonOf(stack: Stack): unknown {
  const app = Stage.of(stack);
  if (app === undefined) throw new Error(`${stack.node.id} is in no app`);
  const directory = synthesised.get(app) ?? app.synth().directory;
  synthesised.set(app, directory);
  return JSON.parse(readFileSync(join(directory, stack.templateFile), 'utf8'));
}

function nestedStacksOf(stack: Stack): NestedStack[] {
  return stack.node.children.filter((child) => child instanceof NestedStack);
}

/** Returns the templates of a stack and its nested stacks by name. CloudFormation limits each of them separately. */
export function templatesOf(stack: Stack): Map<string, Template> {
  return new Map([stack, ...nestedStacksOf(stack)].map((one) => [one.node.id, Template.fromJSON(Object(jsonOf(one)))]));
}

/**
 * Joins all templates of a stack into one template. A nested stack's parameters and outputs are replaced by their
 * values.
 */
export function wholeTemplate(stack: Stack): Template {
  const root = v.parse(templateShape, jsonOf(stack));
  const nested = nestedStacksOf(stack).map((one) => {
    const resource = one.nestedStackResource;
    const id = resource === undefined ? '' : stack.getLogicalId(resource);
    const template = v.parse(templateShape, jsonOf(one));
    const { Parameters = {} } = v.parse(
      v.object({ Parameters: v.optional(v.record(v.string(), v.unknown())) }),
      root.Resources[id]?.Properties,
    );
    return { id, template, parameters: Parameters };
  });
  const outputs = new Map(
    nested.flatMap(({ id, template, parameters }) =>
      Object.entries(template.Outputs).map(([name, { Value }]) => [`${id}.Outputs.${name}`, { Value, parameters }]),
    ),
  );

  function resolved(value: unknown, parameters: Readonly<Record<string, unknown>>): unknown {
    if (Array.isArray(value)) return value.map((one) => resolved(one, parameters));
    if (typeof value !== 'object' || value === null) return value;
    if (v.is(ref, value) && Object.hasOwn(parameters, value.Ref)) return resolved(parameters[value.Ref], {});
    if (v.is(getAtt, value)) {
      const output = outputs.get(value['Fn::GetAtt'].join('.'));
      if (output !== undefined) return resolved(output.Value, output.parameters);
    }
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, resolved(one, parameters)]));
  }

  const resources: Record<string, unknown> = {};
  for (const { template, parameters } of [{ template: root, parameters: {} }, ...nested]) {
    for (const [id, resource] of Object.entries(template.Resources)) {
      if (resource.Type === nestedStackType) continue;
      if (Object.hasOwn(resources, id)) throw new Error(`two resources are called ${id}`);
      resources[id] = resolved(resource, parameters);
    }
  }
  return Template.fromJSON({ Resources: resources, Outputs: resolved(root.Outputs, {}) });
}

const functionShape = v.looseObject({ Properties: v.looseObject({ Role: getAtt }) });
const policyShape = v.object({
  Properties: v.object({
    Roles: v.array(ref),
    PolicyDocument: v.object({
      Statement: v.array(
        v.object({ Effect: v.string(), Action: v.union([v.array(v.string()), v.string()]), Resource: v.unknown() }),
      ),
    }),
  }),
});

const found = new WeakMap<Template, Map<string, ReturnType<Template['findResources']>>>();

/** Returns all resources of a type by id, once for all callers. The CDK would compare each resource of the template with each query. */
export function resourcesIn(template: Template, type: string) {
  const known = found.get(template) ?? new Map<string, ReturnType<Template['findResources']>>();
  found.set(template, known);
  const resources = known.get(type) ?? template.findResources(type);
  known.set(type, resources);
  return resources;
}

const policies = new WeakMap<Template, v.InferOutput<typeof policyShape>[]>();

function policiesIn(template: Template) {
  const parsed =
    policies.get(template) ??
    Object.values(resourcesIn(template, 'AWS::IAM::Policy')).map((policy) => v.parse(policyShape, policy));
  policies.set(template, parsed);
  return parsed;
}

/** Returns the table actions and indexes that the role of a function permits. */
export function tablePermissionsIn(template: Template, functionId: string): string[] {
  const { Role } = v.parse(functionShape, resourcesIn(template, 'AWS::Lambda::Function')[functionId]).Properties;
  const statements = policiesIn(template)
    .map(({ Properties }) => Properties)
    .filter(({ Roles }) => Roles.some(({ Ref }) => Ref === Role['Fn::GetAtt'][0]))
    .flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
    .filter(({ Effect }) => Effect === 'Allow')
    // The event source reads the stream. The function does not.
    .filter(({ Resource }) => !JSON.stringify(Resource).includes('StreamArn'))
    .map(({ Action, Resource }) => ({ actions: [Action].flat(), resource: JSON.stringify(Resource) }))
    .filter(({ actions }) => actions.some((action) => action.startsWith('dynamodb:')));
  const indexes = statements.flatMap(({ resource }) =>
    [...resource.matchAll(/\/(index\/[\w*-]+)/g)].map(([, name]) => name ?? ''),
  );
  return [...statements.flatMap(({ actions }) => actions), ...indexes].sort();
}
