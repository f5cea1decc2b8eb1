import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { exclusively } from './exclusive.mjs';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'pergamin-exclusive-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

const lock = (): { folder: string; name: string } => ({ folder, name: 'install' });

/** As if a process had taken the lock and been killed. */
function leaveBehind(owner: string): void {
  mkdirSync(path.join(folder, 'install.lock'));
  writeFileSync(path.join(folder, 'install.lock', owner), '');
}

test('work is done once at a time by processes that all begin at once', async () => {
  const diary = path.join(folder, 'diary');
  const module = JSON.stringify(new URL('./exclusive.mjs', import.meta.url).href);
  const program = `
    import fs from 'node:fs';
    import { exclusively } from ${module};
    await exclusively({ folder: ${JSON.stringify(folder)}, name: 'install' }, async () => {
      fs.appendFileSync(${JSON.stringify(diary)}, 'in ');
      for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
      fs.appendFileSync(${JSON.stringify(diary)}, 'out ');
    });`;
  const children = Array.from({ length: 4 }, () => spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'inherit' }));
  await Promise.all(children.map(async (child) => once(child, 'exit')));
  expect(readFileSync(diary, 'utf8')).toBe('in out '.repeat(4));
});

test('the lock of a process that was killed is taken over', async () => {
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  leaveBehind(`${os.hostname()}~${pid}~1`);
  expect(await exclusively(lock(), () => 'done')).toBe('done');
});

test.runIf(existsSync('/proc/self/stat'))('a process that was given the dead one’s id is not taken for it', async () => {
  leaveBehind(`${os.hostname()}~${process.pid}~1`);
  expect(await exclusively(lock(), () => 'done')).toBe('done');
});

test('a lock left between making the folder and naming its owner is taken over after a while', async () => {
  mkdirSync(path.join(folder, 'install.lock'));
  const longAgo = new Date(Date.now() - 60_000);
  utimesSync(path.join(folder, 'install.lock'), longAgo, longAgo);
  expect(await exclusively(lock(), () => 'done')).toBe('done');
});

test('a lock of another machine on the same disk is respected', async () => {
  leaveBehind('another-host~1~1');
  const order: string[] = [];
  const free = (): void => {
    order.push('freed');
    rmSync(path.join(folder, 'install.lock'), { recursive: true });
  };
  await exclusively({ ...lock(), onWait: free }, () => order.push('done'));
  expect(order).toEqual(['freed', 'done']);
});

test('work that fails gives the lock back and says why', async () => {
  const failing = exclusively(lock(), () => {
    throw new Error('no space left');
  });
  await expect(failing).rejects.toThrow('no space left');
  expect(readdirSync(folder)).toEqual([]);
});
