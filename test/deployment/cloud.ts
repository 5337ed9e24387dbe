import { setTimeout as wait } from 'node:timers/promises';
import {
  CloudFormationClient,
  CreateStackCommand,
  DeleteStackCommand,
  DescribeStackEventsCommand,
  DescribeStackResourceCommand,
  DescribeStacksCommand,
  paginateListStackResources,
  type Stack,
  type StackResourceSummary,
} from '@aws-sdk/client-cloudformation';
import { CloudWatchLogsClient, paginateDescribeLogGroups } from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { LambdaClient, paginateListFunctions } from '@aws-sdk/client-lambda';
import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { Emulator } from './emulator.ts';
import type { Template } from './template.ts';

/** Asks the emulator by AWS's own clients. */
export class Cloud {
  readonly formation: CloudFormationClient;
  readonly logs: CloudWatchLogsClient;
  readonly dynamodb: DynamoDBClient;
  readonly events: EventBridgeClient;
  readonly lambda: LambdaClient;
  readonly s3: S3Client;
  readonly sqs: SQSClient;

  readonly endpoint: string;

  constructor({ endpoint, region }: Emulator) {
    this.endpoint = endpoint;
    const config = { endpoint, region, credentials: { accessKeyId: 'test', secretAccessKey: 'test' } };
    this.formation = new CloudFormationClient(config);
    this.logs = new CloudWatchLogsClient(config);
    this.dynamodb = new DynamoDBClient(config);
    this.events = new EventBridgeClient(config);
    this.lambda = new LambdaClient(config);
    this.s3 = new S3Client({ ...config, forcePathStyle: true });
    this.sqs = new SQSClient(config);
  }

  close(): void {
    for (const client of [this.formation, this.logs, this.dynamodb, this.events, this.lambda, this.s3, this.sqs])
      client.destroy();
  }

  /** Creates a small stack, lets `use` look at it, and deletes it. */
  async withStack<T>(template: Template, use: (stack: SmallStack) => Promise<T>): Promise<T> {
    const StackName = `proof-${++this.#stacks}`;
    const refusal = await this.#create(StackName, template);
    try {
      const { Stacks: [stack] = [] } = await this.formation
        .send(new DescribeStacksCommand({ StackName }))
        .catch(() => ({}) as { Stacks?: Stack[] });
      const outputs = new Map(stack?.Outputs?.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]));
      return await use({ refusal, outputs, idOf: (logical) => this.#idOf(StackName, logical) });
    } finally {
      await this.formation.send(new DeleteStackCommand({ StackName })).catch(() => undefined);
    }
  }

  #stacks = 0;

  /** Returns the reason why the stack could not be created. */
  async #create(StackName: string, template: Template): Promise<string | undefined> {
    try {
      const TemplateBody = JSON.stringify(template);
      await this.formation.send(
        new CreateStackCommand({ StackName, TemplateBody, Capabilities: ['CAPABILITY_NAMED_IAM'] }),
      );
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
    for (;;) {
      const { Stacks: [stack] = [] } = await this.formation.send(new DescribeStacksCommand({ StackName }));
      if (stack?.StackStatus === 'CREATE_COMPLETE') return undefined;
      if (stack?.StackStatus?.endsWith('_COMPLETE') || stack?.StackStatus?.endsWith('_FAILED')) break;
      await wait(50);
    }
    const { StackEvents = [] } = await this.formation.send(new DescribeStackEventsCommand({ StackName }));
    return StackEvents.flatMap(({ ResourceStatus, ResourceStatusReason }) =>
      ResourceStatus === 'CREATE_FAILED' ? [ResourceStatusReason ?? ''] : [],
    ).join('; ');
  }

  async #idOf(StackName: string, LogicalResourceId: string): Promise<string> {
    const command = new DescribeStackResourceCommand({ StackName, LogicalResourceId });
    return (await this.formation.send(command)).StackResourceDetail?.PhysicalResourceId ?? '';
  }

  /** Lists the resources of a stack and of its nested stacks. */
  async resourcesOf(StackName: string): Promise<StackResourceSummary[]> {
    const own: StackResourceSummary[] = [];
    for await (const page of paginateListStackResources({ client: this.formation }, { StackName }))
      own.push(...(page.StackResourceSummaries ?? []));
    const nested = own.filter(({ ResourceType }) => ResourceType === 'AWS::CloudFormation::Stack');
    const inner = await Promise.all(nested.map(({ PhysicalResourceId = '' }) => this.resourcesOf(PhysicalResourceId)));
    return [...own, ...inner.flat()];
  }

  /** Maps the functions of a stack to the hash of their code. */
  async codeOf(stack: string): Promise<Map<string, string>> {
    const hashes = new Map<string, string>();
    for await (const { Functions = [] } of paginateListFunctions({ client: this.lambda }, {}))
      for (const { FunctionName = '', CodeSha256 = '' } of Functions)
        if (FunctionName.startsWith(`${stack}-`)) hashes.set(FunctionName, CodeSha256);
    return hashes;
  }

  async logGroupsOf(stack: string): Promise<string[]> {
    const names: string[] = [];
    for await (const { logGroups = [] } of paginateDescribeLogGroups({ client: this.logs }, {}))
      names.push(...logGroups.flatMap(({ logGroupName = '' }) => (logGroupName.includes(stack) ? [logGroupName] : [])));
    return names;
  }
}

export interface SmallStack {
  readonly refusal: string | undefined;
  readonly outputs: ReadonlyMap<string, string>;
  readonly idOf: (logical: string) => Promise<string>;
}
