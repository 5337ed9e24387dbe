import { Duration } from 'aws-cdk-lib';
import { type HttpApi, HttpMethod, HttpNoneAuthorizer, HttpRoute, HttpRouteKey } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { type Alarms, alarmPeriod } from './alarms.ts';
import { docsPaths } from './docs/handler.ts';
import { excuse } from './nag.ts';
import { nodeFunction } from './node-function.ts';
import type { StageSettings } from './settings.ts';

export interface DocsFunctionProps {
  /** Folder of the bundled handler and its files. */
  bundleDir: string;
  api: HttpApi;
  table: TableV2;
  settings: StageSettings;
  alarms: Alarms;
}

/** The interface's description and the page on which it is tried: open to anyone, and without any action on the table. */
export class DocsFunction extends Construct {
  readonly function: LambdaFunction;

  constructor(scope: Construct, id: string, { bundleDir, api, table, settings, alarms }: DocsFunctionProps) {
    super(scope, id);
    const { lambda } = nodeFunction(this, {
      bundleDir,
      description: 'Serves /openapi.json and /docs',
      table,
      grant: { actions: [] },
      memorySizeInMb: 256,
      timeout: Duration.seconds(10),
      settings,
    });
    this.function = lambda;

    const integration = new HttpLambdaIntegration('integration', lambda);
    for (const path of docsPaths) {
      // Any method: the function answers 405 to what is not GET.
      const routeKey = HttpRouteKey.with(path, HttpMethod.ANY);
      const authorizer = new HttpNoneAuthorizer();
      new HttpRoute(this, `any ${path.replaceAll('/', ' ')}`, { httpApi: api, routeKey, integration, authorizer });
    }

    excuse(
      this,
      'AwsSolutions-APIG4',
      'A description of the interface, the same for everyone: it reads nothing of the table.',
    );

    alarms.add(this, 'errors', {
      description: 'The docs crashed, ran out of time or did not start',
      metric: lambda.metricErrors({ period: alarmPeriod }),
      above: 0,
    });
  }
}
