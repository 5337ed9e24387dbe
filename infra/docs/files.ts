import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { buildOpenapiDocument } from '../openapi/document.ts';
import { foldingScript, foldingStyle } from './folding.ts';
import { type DocsFiles, documentFile, pageFile, scriptHashFile } from './handler.ts';

/** Sets the length of a part of Swagger UI's script. A gzipped part has less than 100 KB, so no request is larger. */
const partLength = 280_000;

const pageWith = (parts: readonly string[]) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Tessera</title>
    <link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
    <link rel="stylesheet" href="/docs/page.css">
${parts.map((name) => `    <link rel="preload" as="fetch" crossorigin href="/docs/${name}">`).join('\n')}
  </head>
  <body>
    <div id="page"></div>
    <script type="module" src="/docs/start.js"></script>
  </body>
</html>
`;

/** Lets everything long wrap or scroll inside its own box on a telephone. */
const style = `.swagger-ui .opblock-summary-path,
.swagger-ui .opblock-summary-operation-id,
.swagger-ui .renderedMarkdown,
.swagger-ui .info .title { overflow-wrap: anywhere }
.swagger-ui pre, .swagger-ui table { max-width: 100% }
@media (max-width: 640px) {
  .swagger-ui .wrapper { padding: 0 10px }
  .swagger-ui .opblock-summary-operation-id { display: none }
  .swagger-ui .opblock-summary-control { flex-wrap: wrap; min-width: 0 }
  .swagger-ui .opblock-summary-path { max-width: 100% }
  .swagger-ui .response-col_links { display: none }
  .swagger-ui .table-container, .swagger-ui .responses-inner { overflow-x: auto; padding: 10px }
  .swagger-ui input, .swagger-ui textarea, .swagger-ui select { max-width: 100%; min-width: 0 }
}
`;

export interface DemoKey {
  readonly app_id: string;
  readonly app_token: string;
}

/** Joins the parts of the script. The page's policy allows the joined script by its hash. */
const loadScript = (parts: readonly string[]) => `const parts = await Promise.all(
  ${JSON.stringify(parts)}.map(async (name) => {
    const reply = await fetch('/docs/' + name);
    if (!reply.ok) throw new Error(name + ' was answered with status ' + reply.status);
    return reply.text();
  }),
);
const script = document.createElement('script');
script.textContent = parts.join('');
document.head.append(script);
`;

/**
 * Resolves the references of an operation when a reader opens it. Swagger UI itself prepares the whole document each
 * time, which needs ten seconds for hundreds of operations. A schema inside itself stays a reference. A component is
 * shown by its name.
 */
const resolveScript = `const keyOf = (part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
const named = (document, ref) => ref.split('/').slice(1).reduce((at, part) => at?.[keyOf(part)], document);
function resolved(document, node, within = []) {
  if (Array.isArray(node)) return node.map((one) => resolved(document, one, within));
  if (typeof node !== 'object' || node === null) return node;
  const { $ref, ...rest } = node;
  const own = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, resolved(document, value, within)]));
  if (typeof $ref !== 'string' || !$ref.startsWith('#/')) return { ...node, ...own };
  if (within.includes($ref)) return node;
  const [, schema] = /^#.components.schemas.(.+)$/.exec($ref) ?? [];
  const target = resolved(document, named(document, $ref), [...within, $ref]);
  return { ...(schema && { title: keyOf(schema) }), ...target, ...own, $$ref: $ref };
}
const resolveSubtree = async (document, path) => {
  const node = path.reduce((at, key) => at?.[key], document) ?? null;
  return { spec: resolved(document, node), errors: [] };
};
`;

/**
 * Writes the keys inside an object parameter in brackets. Swagger UI brackets one level and writes JSON below it, but a
 * filter has three: `filters[created_at][conditions][$after]`.
 */
export const bracketsScript = `function* inBrackets(name, value) {
  if (typeof value !== 'object' || value === null) return yield [name, String(value)];
  for (const [key, inner] of Object.entries(value)) yield* inBrackets(name + '[' + key + ']', inner);
}
function objectIn(name, text) {
  if (!name.endsWith(']') || !/^[{[]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
function bracketed(address) {
  const [path, query] = address.split('?');
  if (!query) return address;
  const sent = [...new URLSearchParams(query)].flatMap(([name, text]) => [...inBrackets(name, objectIn(name, text))]);
  return path + '?' + new URLSearchParams(sent);
}
`;

/** Leaves out the empty fields of a form, which Swagger UI fills with the word `string`. */
const filledScript = `function filled(body) {
  if (typeof body !== 'string' || !/^[\\w-]+=/.test(body)) return body;
  return new URLSearchParams([...new URLSearchParams(body)].filter(([, text]) => text !== 'string')).toString();
}
`;

/**
 * Starts Swagger UI. The browser remembers what a reader enters, and a local server's demo key is filled in at first.
 * Families stay closed until a click or an address opens them: a browser would otherwise draw hundreds of operations
 * first. The option `filter` is the field at the top that filters families by name. The option `validatorUrl` is off
 * because Swagger UI calls an external validator by default.
 */
function startScript(demoKey: DemoKey | undefined): string {
  const { app_id: appId, app_token: appToken } = demoKey ?? {};
  return `const demoKey = ${JSON.stringify({ appId, appToken })};
const darkness = window.matchMedia('(prefers-color-scheme: dark)');
const followDarkness = () => document.documentElement.classList.toggle('dark-mode', darkness.matches);
darkness.addEventListener('change', followDarkness);
followDarkness();

// Swagger UI puts the cursor into the last field of its dialog, and so opens the dialog at its end.
document.addEventListener('click', ({ target }) => {
  if (!target.closest('.auth-wrapper .authorize')) return;
  setTimeout(() => {
    const dialog = document.querySelector('.modal-ux-content');
    dialog?.querySelector('input')?.focus({ preventScroll: true });
    dialog?.scrollTo(0, 0);
  });
});
window.ui = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#page',
  deepLinking: true,
  docExpansion: 'none',
  displayOperationId: true,
  filter: true,
  defaultModelsExpandDepth: 0,
  tryItOutEnabled: true,
  persistAuthorization: true,
  validatorUrl: null,
  plugins: [() => ({ fn: { resolveSubtree } }), folding],
  requestInterceptor: (request) => ({ ...request, url: bracketed(request.url), body: filled(request.body) }),
  onComplete: () => {
    if (window.ui.authSelectors.authorized().size > 0) return;
    for (const [scheme, value] of Object.entries(demoKey)) window.ui.preauthorizeApiKey(scheme, value);
  },
});
`;
}

const ofSwaggerUi = ['swagger-ui.css', 'favicon-32x32.png'];

function readOfSwaggerUi(name: string): Promise<Buffer> {
  return readFile(new URL(import.meta.resolve(`swagger-ui-dist/${name}`)));
}

/**
 * Builds the files that the docs serve. The same sources make the same bytes. A local server's key is the only key in
 * them.
 */
export async function docsFiles(demoKey?: DemoKey): Promise<DocsFiles> {
  const script = (await readOfSwaggerUi('swagger-ui-bundle.js')).toString();
  const parts = script.match(new RegExp(`.{1,${partLength}}`, 'gsu')) ?? [];
  const names = parts.map((_, index) => `swagger-ui-${index + 1}.js`);
  const contents: [string, string | Buffer][] = [
    [documentFile, JSON.stringify(buildOpenapiDocument())],
    [pageFile, pageWith(names)],
    ['page.css', style + foldingStyle],
    [
      'start.js',
      [loadScript(names), resolveScript, bracketsScript, filledScript, foldingScript, startScript(demoKey)].join(''),
    ],
    [scriptHashFile, createHash('sha256').update(script).digest('base64')],
    ...parts.map((part, index): [string, string] => [names[index] ?? '', part]),
    ...(await Promise.all(
      ofSwaggerUi.map(async (name): Promise<[string, Buffer]> => [name, await readOfSwaggerUi(name)]),
    )),
  ];
  const gzipped = contents.map(
    async ([name, content]): Promise<[string, Buffer]> => [name, await promisify(gzip)(content, { level: 9 })],
  );
  return new Map(await Promise.all(gzipped));
}
