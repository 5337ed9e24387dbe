import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { openapiDocument } from '../openapi.ts';
import { type DocsFiles, documentFile, pageFile } from './handler.ts';

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Tessera</title>
    <link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
  </head>
  <body>
    <div id="page"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

/** `validatorUrl`: by default the document is sent to a validator of others. */
const start = `window.ui = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#page',
  deepLinking: true,
  displayOperationId: true,
  tryItOutEnabled: true,
  validatorUrl: null,
});
`;

const ofSwaggerUi = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

function readOfSwaggerUi(name: string): Promise<Buffer> {
  return readFile(new URL(import.meta.resolve(`swagger-ui-dist/${name}`)));
}

/** What the docs are served from. The same sources make the same bytes. */
export async function docsFiles(): Promise<DocsFiles> {
  const contents: [string, string | Buffer][] = [
    [documentFile, JSON.stringify(openapiDocument())],
    [pageFile, page],
    ['start.js', start],
    ...(await Promise.all(
      ofSwaggerUi.map(async (name): Promise<[string, Buffer]> => [name, await readOfSwaggerUi(name)]),
    )),
  ];
  const gzipped = contents.map(
    async ([name, content]): Promise<[string, Buffer]> => [name, await promisify(gzip)(content, { level: 9 })],
  );
  return new Map(await Promise.all(gzipped));
}
