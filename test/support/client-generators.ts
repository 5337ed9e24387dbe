import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Step } from './limited-child.ts';

/** Describes generators of clients. Their versions are pinned, and everything that they write is in one temporary folder. */

/** `gets` needs a registry or a compiler of this machine, `makes` needs the document, and `reads` compiles or loads the client. */
export interface Generator {
  readonly name: string;
  readonly gets: readonly Step[];
  readonly makes: readonly Step[];
  readonly reads: readonly Step[];
}

const typescript = 'typescript@5.9.3';
const openapiTypescript = 'openapi-typescript@7.13.0';
const openapiFetch = 'openapi-fetch@0.17.0';
const heyApi = '@hey-api/openapi-ts@0.99.0';
const orval = 'orval@8.38.0';
const axios = 'axios@1.21.1';
const pythonClient = 'openapi-python-client==0.29.1';
const pydantic = ['pydantic==2.12.0', 'urllib3==2.5.0', 'python-dateutil==2.9.0.post0', 'typing-extensions==4.15.0'];
const oapiCodegen = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';
const oapiRuntime = 'github.com/oapi-codegen/runtime v1.9.0';
const openapiGenerator = 'org.openapitools:openapi-generator-cli:7.14.0';
const mavenCopy = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy';

const compilerOptions = {
  ...{ strict: true, skipLibCheck: true, module: 'esnext', moduleResolution: 'bundler', target: 'es2022' },
  ...{ lib: ['es2022', 'dom', 'dom.iterable'], types: [], outDir: 'compiled', rootDir: '.' },
};

/** Runs a file of an npm package by this process's own Node, because packages may need a newer Node than the machine's. */
const node = (folder: string, file: string, ...args: string[]): Step => ({
  command: process.execPath,
  args: [join(folder, 'node_modules', file), ...args],
  folder,
});

function npmPackage(name: string, folder: string, packages: string[], make: Step, file: string): Generator {
  writeFileSync(join(folder, 'package.json'), '{"private": true, "type": "module"}');
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }));
  const args = ['install', '--prefix', '.', '--no-audit', '--no-fund', '--ignore-scripts', ...packages, typescript];
  return {
    name,
    gets: [{ command: 'npm', args, folder }],
    makes: [make],
    reads: [node(folder, 'typescript/bin/tsc', '-p', '.')],
  };
}

export interface Place {
  /** Makes and returns a folder for a generator. */
  readonly folderOf: (name: string) => string;
  readonly document: string;
  /** The file that uses the TypeScript client, in the folder of openapi-typescript. */
  readonly use: string;
}

function ofTypescript({ folderOf, document, use }: Place): Generator[] {
  const [oats, hey, orv] = [folderOf('openapi-typescript'), folderOf('hey-api'), folderOf('orval')];
  return [
    npmPackage(
      'openapi-typescript',
      oats,
      [openapiTypescript, openapiFetch],
      node(oats, 'openapi-typescript/bin/cli.js', document, '-o', 'api.ts'),
      use,
    ),
    npmPackage(
      'hey-api',
      hey,
      [heyApi],
      node(hey, '@hey-api/openapi-ts/bin/run.js', '-i', document, '-o', 'client'),
      'client/index.ts',
    ),
    npmPackage(
      'orval',
      orv,
      [orval, axios],
      node(orv, 'orval/dist/bin/orval.mjs', '--input', document, '--output', './client.ts'),
      'client.ts',
    ),
  ];
}

/** Imports each module of a package, because Python compiles a module when it is imported. */
const importAll = (name: string) =>
  `import ${name}, pkgutil, importlib\nfor one in pkgutil.walk_packages(${name}.__path__, '${name}.'): importlib.import_module(one.name)`;

/** Returns the Python of a folder's virtual environment. */
export const pythonIn = (folder: string) =>
  join(folder, 'venv', process.platform === 'win32' ? 'Scripts' : 'bin', 'python');

function inPython(folder: string, packages: readonly string[]) {
  const run = (...args: string[]): Step => ({ command: pythonIn(folder), args, folder });
  const gets: Step[] = [
    { command: 'python3', args: ['-m', 'venv', 'venv'], folder },
    run('-m', 'pip', 'install', '-q', '--no-input', '--disable-pip-version-check', ...packages),
  ];
  return { run, gets };
}

function ofPython({ folderOf, document }: Place): Generator {
  const folder = folderOf('openapi-python-client');
  const { run, gets } = inPython(folder, [pythonClient]);
  // The client is generated without tools that format it.
  writeFileSync(join(folder, 'config.yaml'), 'post_hooks: []\n');
  const target = ['--path', document, '--output-path', 'client', '--meta', 'none', '--config', 'config.yaml'];
  return {
    name: 'openapi-python-client',
    gets,
    makes: [run('-m', 'openapi_python_client', 'generate', ...target)],
    reads: [run('-c', importAll('client'))],
  };
}

/** Checks the types of a Go package. Its whole compilation would last minutes, because a client has 270,000 lines. */
const checkGo = (folder: string): Step => ({
  command: 'go',
  args: ['vet', '-unreachable', './...'],
  folder,
  env: { GOFLAGS: '-mod=mod' },
});

function ofGo({ folderOf, document }: Place): Generator {
  const folder = folderOf('oapi-codegen');
  writeFileSync(join(folder, 'go.mod'), `module generated\n\ngo 1.24\n\nrequire ${oapiRuntime}\n`);
  const args = ['-generate', 'types,client', '-package', 'generated', '-o', 'client.go', document];
  return {
    name: 'oapi-codegen',
    gets: [{ command: 'go', args: ['install', oapiCodegen], folder, env: { GOBIN: folder } }],
    makes: [{ command: join(folder, 'oapi-codegen'), args, folder }],
    reads: [checkGo(folder)],
  };
}

function ofJava({ folderOf, document }: Place): Generator[] {
  const home = folderOf('openapi-generator');
  const [, name, version] = openapiGenerator.split(':');
  const copy = [`-Dartifact=${openapiGenerator}`, '-DoutputDirectory=.'];
  const getJar: Step = { command: 'mvn', args: ['-B', '-q', mavenCopy, ...copy], folder: home };
  const generates = (language: string): Step => {
    const without = 'apiTests=false,modelTests=false,apiDocs=false,modelDocs=false';
    // A program that runs for seconds spends most of its time in compilers and collectors that are made for hours.
    const brief = ['-Xmx2g', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];
    const args = [...brief, '-jar', `${name}-${version}.jar`, 'generate', '-g', language, '-i', document];
    return { command: 'java', args: [...args, '-o', language, '--global-property', without], folder: home };
  };
  const of = (language: string, reads: Step[], gets: Step[] = []): Generator => ({
    name: `openapi-generator for ${language}`,
    gets: [getJar, ...gets],
    makes: [generates(language)],
    reads,
  });
  const { run, gets } = inPython(home, pydantic);
  const inClient = `import sys\nsys.path.insert(0, 'python')\n${importAll('openapi_client')}`;
  return [
    of('go', [checkGo(join(home, 'go'))]),
    of('python', [run('-c', inClient)], gets),
    of('java', [{ command: 'mvn', args: ['-B', '-q', 'compile'], folder: join(home, 'java') }]),
  ];
}

/** Lists the generators. The first one needs Node and npm alone. */
export function listGenerators(place: Place): [Generator, ...Generator[]] {
  const [first, ...others] = ofTypescript(place);
  if (!first) throw new Error('there is no generator');
  return [first, ofPython(place), ...others, ofGo(place), ...ofJava(place)];
}
