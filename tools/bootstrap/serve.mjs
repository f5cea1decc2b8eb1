/**
 * The server's process begins here: compiled code is kept for the next start, and the process ends with the one that started it.
 * The type-stripped server itself is `server/src/main.ts`.
 */
import fs from 'node:fs';
import module from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** What the server itself waits for is over by then. */
const hardStopAfterMs = 4_500 + 1_000 * (Number(process.env.DRAIN_SECONDS) || 0);

if (process.channel) {
  process.once('disconnect', () => {
    process.kill(process.pid, 'SIGTERM');
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), hardStopAfterMs).unref();
  });
  // Listening must not keep a server alive that has stopped by itself.
  process.channel.unref();
  if (!process.connected) process.emit('disconnect');
}

const folder = compileCacheFolder();
if (folder !== undefined) module.enableCompileCache(folder);
await import('../../server/src/main.ts');
// Kept now, not at exit: a server that is killed should start as fast the next time.
module.flushCompileCache?.();

function compileCacheFolder() {
  const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
  const inTemp = path.join(os.tmpdir(), `pergamin-code-${os.userInfo().uid}`);
  // A folder of ours inside another user's clone would be in the way of their next installation.
  const isOurClone = process.getuid === undefined || fs.statSync(root).uid === process.getuid();
  return [...(isOurClone ? [path.join(root, 'node_modules/.cache/pergamin-code')] : []), inTemp].find(isOurs);
}

// Cached code is run as it lies there: a folder that another user could have filled (in /tmp anybody can) is not used.
function isOurs(folder) {
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    const stat = fs.lstatSync(folder);
    fs.accessSync(folder, fs.constants.W_OK);
    return stat.isDirectory() && (process.getuid === undefined || (stat.uid === process.getuid() && (stat.mode & 0o022) === 0));
  } catch {
    return false;
  }
}
