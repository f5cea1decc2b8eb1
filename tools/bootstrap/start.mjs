/**
 * `npm start`: everything from a bare clone to a running product. Stays behind as the server's parent and never outlives it, nor lets it
 * outlive the terminal, the npm or the supervisor that asked for it.
 */
import { spawn } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { endOnSignals, ensureInstalled, ensureWebBuilt, fail, pinnedNode, root } from './bootstrap.mjs';
import { ancestors } from './ancestors.mjs';
import { ensurePort } from './ensure-port.mjs';
import { memoryEnvironment, memoryFlags } from './memory.mjs';

const watchEveryMs = 500;

try {
  const leaveSignalsAlone = endOnSignals();
  await ensurePort(process.env);
  await ensureInstalled('prod');
  await ensureWebBuilt();
  leaveSignalsAlone();
  serve(pinnedNode());
} catch (error) {
  fail(error);
}

function serve(node) {
  const server = spawn(node, [...memoryFlags, path.join(root, 'tools/bootstrap/serve.mjs'), ...process.argv.slice(2)], {
    // A group of its own: a Ctrl-C in the terminal then reaches the server once, through us, and not twice.
    detached: process.platform !== 'win32',
    // The channel closes with us however we end, kill -9 included; serve.mjs listens for that.
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...memoryEnvironment, ...process.env, NODE_ENV: 'production', PERGAMIN_PARENT_PID: String(process.pid) },
  });
  server.once('error', fail);
  server.once('exit', (code, signal) => process.exit(code ?? 128 + (os.constants.signals[signal] ?? 0)));
  // SIGHUP keeps its default, so that nohup works; the closing channel tells the server.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal));

  // npm's shell passes no signal on to us, so the server watches its parents and stops when npm or the shell is gone.
  const family = ancestors();
  let asked = false;
  setInterval(() => {
    if (asked || ancestors() === family) return;
    asked = true;
    server.kill('SIGTERM');
  }, watchEveryMs).unref();
}
