import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Gets generators of clients from package registries into a temporary folder, and runs them on the document. */

export interface Step {
  readonly command: string;
  readonly args: readonly string[];
  readonly folder?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A generator. `gets` needs a registry, `makes` needs none, and `reads` compiles or loads what was made. */
export interface Generator {
  readonly name: string;
  readonly gets: readonly Step[];
  readonly makes: readonly Step[];
  readonly reads: readonly Step[];
}

const jar = 'openapi-generator-cli-7.14.0.jar';

/** Runs a step. Returns its output if it fails, and `undefined` if it succeeds. */
export function failureOf({ command, args, folder, env }: Step): string | undefined {
  const done = spawnSync(command, [...args], {
    ...(folder === undefined ? {} : { cwd: folder }),
    env: { ...process.env, ...env },
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  });
  if (done.status === 0) return undefined;
  return done.error?.message ?? `${done.stdout}\n${done.stderr}`.slice(-3_000);
}

function typescript(name: string, home: string, packages: readonly string[], make: Step, file: string): Generator {
  const folder = join(home, name);
  const config = {
    compilerOptions: {
      ...{ strict: true, noEmit: true, skipLibCheck: true, module: 'esnext', moduleResolution: 'bundler' },
      ...{ target: 'es2022', lib: ['es2022', 'dom', 'dom.iterable'], types: [] },
    },
    files: [file],
  };
  return {
    name,
    gets: [
      {
        command: 'npm',
        args: ['install', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts', ...packages],
      },
    ],
    makes: [{ ...make, folder }],
    reads: [
      {
        command: 'node',
        args: ['-e', `require('node:fs').writeFileSync('tsconfig.json', ${JSON.stringify(JSON.stringify(config))})`],
        folder,
      },
      { command: 'npx', args: ['tsc', '-p', '.'], folder },
    ],
  };
}

const getJar: Step = {
  command: 'mvn',
  args: ['-q', 'dependency:copy', '-Dartifact=org.openapitools:openapi-generator-cli:7.14.0', '-DoutputDirectory=.'],
};

function openapiGenerator(
  language: 'go' | 'java' | 'python',
  home: string,
  document: string,
  reads: readonly Step[],
  more: readonly Step[] = [],
): Generator {
  const without = 'apiTests=false,modelTests=false,apiDocs=false,modelDocs=false';
  const args = ['-Xmx2g', '-jar', jar, 'generate', '-g', language, '-i', document, '-o', language];
  return {
    name: `openapi-generator for ${language}`,
    gets: [{ ...getJar, folder: home }, ...more],
    makes: [{ command: 'java', args: [...args, '--global-property', without], folder: home }],
    reads,
  };
}

const python = (home: string) => join(home, 'venv', 'bin', 'python');
/** Imports each module of a package. Python compiles a module when it is imported. */
const importAll = (name: string) =>
  `import ${name}, pkgutil, importlib\nfor one in pkgutil.walk_packages(${name}.__path__, '${name}.'): importlib.import_module(one.name)`;

/** Lists the generators for this document. Their versions are pinned. */
export function listGenerators(home: string, document: string): Generator[] {
  const go = { GOPATH: join(home, 'gopath'), GOBIN: home, GOFLAGS: '-mod=mod -modcacherw' };
  const venv: Step = { command: 'python3', args: ['-m', 'venv', join(home, 'venv')] };
  const pip = (...packages: readonly string[]): Step => ({
    command: python(home),
    args: ['-m', 'pip', 'install', '-q', ...packages],
  });
  writeFileSync(
    join(home, 'go.mod.text'),
    'module generated\n\ngo 1.24\n\nrequire github.com/oapi-codegen/runtime v1.9.0\n',
  );
  const ts = 'typescript@5.9.3';
  return [
    typescript(
      'openapi-typescript',
      home,
      ['openapi-typescript@7', ts],
      { command: 'npx', args: ['openapi-typescript', document, '-o', 'api.ts'] },
      'api.ts',
    ),
    typescript(
      'hey-api',
      home,
      ['@hey-api/openapi-ts', ts],
      { command: 'npx', args: ['openapi-ts', '-i', document, '-o', 'client'] },
      'client/index.ts',
    ),
    typescript(
      'orval',
      home,
      ['orval', 'axios', ts],
      { command: 'npx', args: ['orval', '--input', document, '--output', './client.ts'] },
      'client.ts',
    ),
    {
      name: 'openapi-python-client',
      gets: [venv, pip('openapi-python-client==0.29.1')],
      makes: [
        {
          command: python(home),
          args: [
            '-m',
            'openapi_python_client',
            'generate',
            '--path',
            document,
            '--output-path',
            'opc',
            '--overwrite',
            '--meta',
            'none',
          ],
          folder: home,
        },
      ],
      reads: [{ command: python(home), args: ['-c', importAll('opc')], folder: home }],
    },
    {
      name: 'oapi-codegen',
      gets: [
        {
          command: 'go',
          args: ['install', 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2'],
          env: go,
        },
        { command: 'mkdir', args: ['-p', join(home, 'oapi')] },
        { command: 'cp', args: [join(home, 'go.mod.text'), join(home, 'oapi', 'go.mod')] },
      ],
      makes: [
        {
          command: join(home, 'oapi-codegen'),
          args: ['-generate', 'types,client', '-package', 'generated', '-o', 'client.go', document],
          folder: join(home, 'oapi'),
        },
      ],
      reads: [{ command: 'go', args: ['build', './...'], folder: join(home, 'oapi'), env: go }],
    },
    openapiGenerator('go', home, document, [
      { command: 'go', args: ['build', './...'], folder: join(home, 'go'), env: go },
    ]),
    openapiGenerator('java', home, document, [{ command: 'mvn', args: ['-q', 'compile'], folder: join(home, 'java') }]),
    openapiGenerator(
      'python',
      home,
      document,
      [{ command: python(home), args: ['-c', importAll('openapi_client')], folder: join(home, 'python') }],
      [venv, pip('pydantic', 'urllib3', 'python-dateutil', 'typing-extensions')],
    ),
  ];
}
