import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';

import { withoutLeftOut } from '../left-out.ts';

type Answer = (request: Request) => Promise<Response>;

async function createMcpOf(baseUrl: string, acts: boolean, leftOut: readonly string[]): Promise<Answer> {
  const [{ createMcp }, { buildTools }] = await Promise.all([import('./handler.ts'), import('./tools.ts')]);
  return createMcp({ tools: withoutLeftOut(buildTools(), leftOut), acts, apiUrlOf: () => baseUrl, fetch });
}

/** Serves the tools of a local server. The first call loads them, so that no start waits for them. */
export function createLocalMcp(baseUrl: () => string, { AGENTS_ACT }: NodeJS.ProcessEnv, leftOut: readonly string[]) {
  let serving: Promise<Answer> | undefined;
  return async (event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> => {
    serving ??= createMcpOf(baseUrl(), AGENTS_ACT === 'on', leftOut);
    const { answerWith } = await import('./gateway-request.ts');
    return answerWith(await serving, event);
  };
}
