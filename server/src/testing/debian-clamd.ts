import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { eicar } from './clamd-server.ts';

const program = '/usr/sbin/clamd';

export const hasDebianClamd = (): Promise<boolean> =>
  access(program).then(
    () => true,
    () => false,
  );

interface DebianClamd extends AsyncDisposable {
  /** As the setting CLAMD_URL has it. */
  readonly url: string;
  readonly socket: string;
}

const listens = async (socket: string): Promise<boolean> => {
  const connection = connect(socket);
  try {
    await once(connection, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    connection.destroy();
  }
};

/** The packaged daemon in a folder of its own, with one signature made here: the world's are 300 MB, and elsewhere. */
export const startDebianClamd = async ({ streamMaxBytes = 6_000_000 }: { streamMaxBytes?: number } = {}): Promise<DebianClamd> => {
  const folder = await mkdtemp(join(tmpdir(), 'clamd-'));
  const socket = join(folder, 'clamd.ctl');
  await writeFile(join(folder, 'own.ndb'), `Own.Eicar:0:*:${Buffer.from(eicar).toString('hex')}\n`);
  const settings = [
    'Foreground yes',
    `LocalSocket ${socket}`,
    `DatabaseDirectory ${folder}`,
    `TemporaryDirectory ${folder}`,
    `StreamMaxLength ${streamMaxBytes}`,
    'MaxThreads 2',
  ];
  await writeFile(join(folder, 'clamd.conf'), `${settings.join('\n')}\n`);
  const child = spawn(program, ['--config-file', join(folder, 'clamd.conf')], { stdio: ['ignore', 'ignore', 'pipe'] });
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk.toString();
  });
  const exited = once(child, 'exit');
  const stop = async (): Promise<void> => {
    if (child.exitCode === null) {
      child.kill();
      await exited;
    }
    await rm(folder, { recursive: true, force: true });
  };
  const deadline = Date.now() + 60_000;
  while (!(await listens(socket))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      await stop();
      throw new Error(`clamd did not start: ${complaint}`);
    }
    await pause(50);
  }
  return { url: `unix://${socket}`, socket, [Symbol.asyncDispose]: stop };
};
