import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { freePort } from './free-port.ts';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));

export interface Machine extends AsyncDisposable {
  readonly port: number;
  readonly metricsPort: number;
  /** Lines on standard error, as they come. */
  readonly said: readonly string[];
  /** The first line on standard output: it is ready. */
  readonly ready: Promise<string>;
  isRunning(): boolean;
  /** With this signal; resolves to its exit code when it is gone. */
  stop(signal: NodeJS.Signals): Promise<number | null>;
}

/** The product as operators start it, in a process of its own. */
export const startMachine = async (
  environment: Readonly<Record<string, string>>,
  ports: { readonly port?: number; readonly metricsPort?: number } = {},
): Promise<Machine> => {
  const [port, metricsPort] = [ports.port ?? (await freePort()), ports.metricsPort ?? (await freePort())];
  const child = spawn(process.execPath, [main], {
    env: {
      PATH: process.env['PATH'],
      TMPDIR: process.env['TMPDIR'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      DEMO: 'off',
      LOG_LEVEL: 'silent',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'close');
  const said: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => said.push(line));
  const line = once(createInterface({ input: child.stdout }), 'line').then(([first]) => String(first));
  const ended = exited.then(() => {
    throw new Error(`the machine did not get ready: ${said.join('\n')}`);
  });
  const ready = Promise.race([line, ended]);
  // Who waits for it learns of it.
  ready.catch(() => {});
  const stop = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal);
    await exited;
    return child.exitCode;
  };
  return {
    port,
    metricsPort,
    said,
    ready,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    stop,
    async [Symbol.asyncDispose]() {
      await stop('SIGKILL');
    },
  };
};
