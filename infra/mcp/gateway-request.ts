import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';

/** Turns an event of the gateway into a request. */
function requestOf({ requestContext, rawPath, headers, body, isBase64Encoded }: APIGatewayProxyEventV2): Request {
  const { domainName, http } = requestContext;
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

/** Answers an event of the gateway by a function of requests. */
export async function answerWith(
  answer: (request: Request) => Promise<Response>,
  event: APIGatewayProxyEventV2,
): Promise<APIGatewayProxyStructuredResultV2> {
  const reply = await answer(requestOf(event));
  return {
    statusCode: reply.status,
    headers: { ...Object.fromEntries(reply.headers), 'x-request-id': event.requestContext.requestId },
    body: await reply.text(),
  };
}
