import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { answerWith } from './gateway-request.ts';
import { createMcp } from './handler.ts';
import { toolsFile } from './tool.ts';

/** `infra/aws/bundle.ts` writes the file beside the bundle. */
const tools = JSON.parse(readFileSync(join(import.meta.dirname, toolsFile), 'utf8'));

const mcp = createMcp({
  tools,
  acts: process.env.AGENTS_ACT === 'on',
  apiUrlOf: ({ url }) => new URL(url).origin,
  fetch,
});

/** Lambda calls this handler for `/mcp`. */
export function handler(event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> {
  return answerWith(mcp, event);
}
