import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { readDistributionHeaders } from '#kernel/http/distribution.ts';

/**
 * Turns an event of the gateway into a request to the address that the caller used. Behind a distribution that is the
 * distribution's, because an API serves only a part of the paths there.
 */
function requestOf(event: APIGatewayProxyEventV2, proof: string | undefined): Request {
  const { requestContext, rawPath, headers, body, isBase64Encoded } = event;
  const { http } = requestContext;
  const domainName = readDistributionHeaders(event, proof)?.host ?? requestContext.domainName;
  const isLocal = /^(?:localhost|127\.|\[::1\])/.test(domainName);
  const sent = new Headers();
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) sent.set(name, value);
  const content = body === undefined ? undefined : Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  return new Request(`${isLocal ? 'http' : 'https'}://${domainName}${rawPath}`, {
    method: http.method,
    headers: sent,
    ...(content === undefined || http.method === 'GET' ? {} : { body: content }),
  });
}

/** Answers an event of the gateway by a function of requests. `proof` is the secret that a distribution sends. */
export async function answerWith(
  answer: (request: Request) => Promise<Response>,
  event: APIGatewayProxyEventV2,
  proof?: string,
): Promise<APIGatewayProxyStructuredResultV2> {
  const reply = await answer(requestOf(event, proof));
  return {
    statusCode: reply.status,
    headers: { ...Object.fromEntries(reply.headers), 'x-request-id': event.requestContext.requestId },
    body: await reply.text(),
  };
}
