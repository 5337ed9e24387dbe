import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { leftOutIn, withoutLeftOut } from '../left-out.ts';
import { answerWith } from './gateway-request.ts';
import { createMcp } from './handler.ts';
import { type Tool, toolsFile } from './tool.ts';

/** `infra/aws/bundle.ts` writes the file next to the bundle. */
const tools: readonly Tool[] = JSON.parse(readFileSync(join(import.meta.dirname, toolsFile), 'utf8'));

const mcp = createMcp({
  tools: withoutLeftOut(tools, leftOutIn(process.env)),
  acts: process.env.AGENTS_ACT === 'on',
  apiUrlOf: ({ url }) => new URL(url).origin,
  fetch,
});

/** Lambda calls this handler for `/mcp`. */
export function handler(event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> {
  return answerWith(mcp, event, process.env.DISTRIBUTION_PROOF);
}
