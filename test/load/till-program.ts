import { flushCompileCache } from 'node:module';
import { compose, createDynamodbClient } from '#kernel/http/composition.ts';
import { RateLimiter } from '#kernel/http/rate-limit.ts';
import { createDocumentClient } from '#kernel/table/connection.ts';
import { allContainersAtOnce } from '../../infra/local/all-containers.ts';
import { startServer } from '../../infra/local/server.ts';

/** Serves the API of `till-process.ts` over an existing table. Ends with the process that started it. */

const { TILL_ENDPOINT = '', TILL_TABLE = '', TILL_LATER_BY_MS = '0' } = process.env;
const unlimited = new RateLimiter(Number.MAX_SAFE_INTEGER);

const { baseUrl } = await startServer({
  dependencies: {
    ...compose({ TABLE_NAME: TILL_TABLE, DYNAMODB_ENDPOINT: TILL_ENDPOINT }),
    dynamodb: createDocumentClient(createDynamodbClient(TILL_ENDPOINT, allContainersAtOnce)),
    clock: () => new Date(Date.now() + Number(TILL_LATER_BY_MS)),
    log: () => {},
    rateLimiter: unlimited,
  },
  port: 0,
});
process.on('disconnect', () => process.exit());
// Saves compiled code now, because a killed process saves none for the next process.
flushCompileCache();
process.send?.(baseUrl);
