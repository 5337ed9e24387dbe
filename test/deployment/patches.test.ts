import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { notShown } from './not-shown.ts';
import { patches } from './patches.ts';
import { expandRoutes } from './routes.ts';
import { removeResources, type Template } from './template.ts';

const read = (...path: string[]) => readFileSync(join(import.meta.dirname, '../..', ...path), 'utf8');
const page = read('docs/emulator.md');
const listed = (from: string) =>
  (page.split(`<a id="${from}"></a>`)[1] ?? '')
    .split('<a id=')[0]
    ?.split('\n')
    .flatMap((line) => (line.startsWith('- ') ? [line.slice(2)] : []));

test('docs/emulator.md lists every gap that the copy is patched for, and no other', () => {
  expect(listed('patches')).toEqual(patches.map(({ gap }) => gap));
});

test('docs/emulator.md lists everything that the emulator does not show', () => {
  expect(listed('not-shown')).toEqual(notShown);
});

test('the emulator and all its packages are pinned', () => {
  const lines = read('test/deployment/requirements.txt').trim().split('\n');
  expect(lines.filter((line) => !/^[\w-]+==\d[\w.]*$/.test(line))).toEqual([]);
  expect(lines).toEqual(
    expect.arrayContaining([expect.stringMatching(/^ministack==/), expect.stringMatching(/^boto3==/)]),
  );
});

test('CI deploys what it has synthesised', () => {
  expect(read('.ci/jobs/stack.sh')).toMatch(/step npm run --silent deployment-test -- --dev \S+ --prod \S+\n/);
});

const operation = (name: string, more: object = {}) => ({
  ...more,
  'x-amazon-apigateway-integration': { $ref: `#/components/x-amazon-apigateway-integrations/${name}` },
});
const integration = (uri: string) => ({ uri, type: 'aws_proxy', payloadFormatVersion: '2.0' });
const apiOf = (paths: object): Template => ({
  Resources: {
    api: {
      Type: 'AWS::ApiGatewayV2::Api',
      Properties: {
        Body: {
          paths,
          components: { 'x-amazon-apigateway-integrations': { one: integration('first'), two: integration('second') } },
        },
      },
    },
  },
});

test('the paths of an API become routes to the functions of their integrations', () => {
  const added: Template[] = [];
  const template = apiOf({
    '/one': { get: operation('one'), 'x-amazon-apigateway-any-method': operation('two', { security: [{ iam: [] }] }) },
    '/$default': { 'x-amazon-apigateway-any-method': operation('one', { isDefaultRoute: true }) },
  });
  expect(expandRoutes(template, { addTemplate: (one) => `address ${added.push(one)}` })).toBe(1);
  expect(template.Resources.apiRoutes0).toEqual({
    Type: 'AWS::CloudFormation::Stack',
    Properties: { TemplateURL: 'address 1', Parameters: { Api: { Ref: 'api' }, Uri0: 'first', Uri1: 'second' } },
  });
  const routes = Object.values(added[0]?.Resources ?? {}).filter(({ Type }) => Type === 'AWS::ApiGatewayV2::Route');
  const to = (id: string) => ({ 'Fn::Join': ['/', ['integrations', { Ref: id }]] });
  expect(routes.map(({ Properties }) => Properties)).toEqual([
    { ApiId: { Ref: 'Api' }, RouteKey: 'GET /one', Target: to('Integration0'), AuthorizationType: 'NONE' },
    { ApiId: { Ref: 'Api' }, RouteKey: 'ANY /one', Target: to('Integration1'), AuthorizationType: 'AWS_IAM' },
    { ApiId: { Ref: 'Api' }, RouteKey: '$default', Target: to('Integration0'), AuthorizationType: 'NONE' },
  ]);
});

test('a path without an integration is refused', () => {
  expect(() => expandRoutes(apiOf({ '/one': { get: operation('three') } }), { addTemplate: () => '' })).toThrow(
    'GET /one has no integration',
  );
});

test('a resource that another one uses cannot be left out', () => {
  const used = (): Template => ({
    Resources: {
      one: { Type: 'One' },
      two: { Type: 'Two', DependsOn: ['one', 'three'], Properties: { name: { Ref: 'one' } } },
      three: { Type: 'Three' },
    },
  });
  expect(() => removeResources(used(), ['one'])).toThrow('one cannot be left out');
  const template = used();
  removeResources(template, ['three']);
  expect(template.Resources.two?.DependsOn).toEqual(['one']);
});
