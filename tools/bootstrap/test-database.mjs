/** A private cluster of the PostgreSQL that Debian ships, for the nightly run: thrown away afterwards, reachable only on loopback. */
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';

const binaries = '/usr/lib/postgresql/15/bin';
const readyWithinMs = 20_000;

/**
 * @returns {Promise<{ url: string, stop: () => Promise<void> } | { absent: string }>} `absent` says why there is none
 */
export async function startTestDatabase() {
  if (!fs.existsSync(path.join(binaries, 'postgres'))) return { absent: `no PostgreSQL 15 in ${binaries}` };
  const user = unprivilegedUser();
  if (user === undefined) return { absent: 'PostgreSQL does not run as root, and there is neither a user postgres nor nobody' };
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pergamin-pg15-'));
  if (user.uid !== undefined) fs.chownSync(folder, user.uid, user.gid);
  const data = path.join(folder, 'data');
  const options = { ...user, cwd: folder, encoding: /** @type {const} */ ('utf8'), env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' } };
  const password = randomBytes(16).toString('hex');
  const passwordFile = path.join(folder, 'password');
  fs.writeFileSync(passwordFile, password, { mode: 0o644 });
  const settingsOfCluster = [
    '-U',
    'pergamin',
    '--auth=scram-sha-256',
    `--pwfile=${passwordFile}`,
    '-E',
    'UTF8',
    '--locale=C.UTF-8',
    '--no-sync',
  ];
  const made = spawnSync(path.join(binaries, 'initdb'), ['-D', data, ...settingsOfCluster], options);
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  const port = await freePort();
  // Durability is tested on the embedded one; this cluster lives for one run.
  const settings = ['fsync=off', 'listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`, 'max_connections=300'].flatMap(
    (setting) => ['-c', setting],
  );
  const server = spawn(path.join(binaries, 'postgres'), ['-D', data, '-p', String(port), ...settings], {
    ...options,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const kill = () => server.kill('SIGKILL');
  process.once('exit', kill);
  let log = '';
  server.stderr.setEncoding('utf8').on('data', (text) => (log = (log + text).slice(-20_000)));
  const ended = new Promise((resolve) => server.once('exit', resolve));
  const stop = async () => {
    server.kill('SIGINT');
    await ended;
    process.off('exit', kill);
    fs.rmSync(folder, { recursive: true, force: true });
  };
  for (const deadline = Date.now() + readyWithinMs; !log.includes('ready to accept connections');) {
    if (server.exitCode !== null || Date.now() > deadline) {
      await stop();
      throw new Error(`PostgreSQL 15 did not come up:\n${log}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { url: `postgres://pergamin:${password}@127.0.0.1:${port}/postgres`, stop };
}

function unprivilegedUser() {
  if (process.getuid?.() !== 0) return {};
  for (const name of ['postgres', 'nobody']) {
    const line = fs
      .readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .find((entry) => entry.startsWith(`${name}:`));
    const [, , uid, gid] = line?.split(':') ?? [];
    if (uid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  return undefined;
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = net.createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
