import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';

export interface RunningProduct {
  url: string;
  demoPassword: string;
  /** Asks the product to stop, and insists after ten seconds. */
  stop: () => Promise<void>;
  /** Kills it as a power cut would; resolves when it is gone. */
  kill: () => Promise<void>;
}

const readyWithinMs = 120_000;
const stopWithinMs = 10_000;

interface ProductPlan {
  readonly dataFolder: string;
  readonly logFile: string;
  /** The same again after a kill, so that an open page finds it. */
  readonly port?: number;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Starts the product as `npm start` would, on a free port and the given data folder; all that it prints goes to `logFile`. */
export async function startProduct({ dataFolder, logFile, ...options }: ProductPlan): Promise<RunningProduct> {
  const port = options.port ?? (await freePort());
  const { PUBLIC_URL: _url, DATABASE_URL: _database, ...environment } = process.env;
  const child = spawn(process.execPath, [path.join(import.meta.dirname, '../tools/bootstrap/serve.mjs')], {
    // The channel ends the product with us, however we end.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...environment, NODE_ENV: 'production', PORT: String(port), DATA_DIR: dataFolder, ...options.environment },
  });
  const stop = stopperOf(child);
  try {
    const ready = await readiness(child, logFile, options.environment?.['DEMO'] === 'off');
    return { ...ready, stop, kill: killerOf(child) };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The journeys that follow in this worker go to a product of their own; what is answered leads back to the one of all journeys. */
export function leadTo(product: RunningProduct, dataFolder: string): () => void {
  const { PERGAMIN_URL: url, PERGAMIN_DATA_DIR: data } = process.env;
  Object.assign(process.env, { PERGAMIN_URL: product.url, PERGAMIN_DATA_DIR: dataFolder });
  return () => void Object.assign(process.env, { PERGAMIN_URL: url, PERGAMIN_DATA_DIR: data });
}

async function readiness(child: ChildProcess, logFile: string, isWithoutDemo: boolean): Promise<{ url: string; demoPassword: string }> {
  const log = createWriteStream(logFile);
  const lastLines: string[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<{ url: string; demoPassword: string }>();
  const giveUp = (why: string): void => reject(new Error(`${why}; its last lines (all: ${logFile}):\n${lastLines.join('\n')}`));
  const timer = setTimeout(() => giveUp(`The product was not ready within ${readyWithinMs / 1000} s`), readyWithinMs);
  child.once('error', reject);
  child.once('exit', (code, signal) => giveUp(`The product ended (${signal ?? code}) before it was ready`));
  let url: string | undefined;
  let demoPassword: string | undefined;
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) continue;
    createInterface({ input: stream }).on('line', (line) => {
      log.write(`${line}\n`);
      lastLines.push(line);
      if (lastLines.length > 30) lastLines.shift();
      url ??= /Pergamin is ready at (\S+)/.exec(line)?.[1];
      demoPassword ??= /Demo password: (\S+)/.exec(line)?.[1];
      if (url !== undefined && isWithoutDemo) demoPassword ??= '';
      if (url !== undefined && demoPassword !== undefined) resolve({ url, demoPassword });
    });
  }
  return promise.finally(() => clearTimeout(timer));
}

function stopperOf(child: ChildProcess): () => Promise<void> {
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()).once('error', () => resolve()));
  return async () => {
    child.kill('SIGTERM');
    const insist = setTimeout(() => child.kill('SIGKILL'), stopWithinMs);
    await ended;
    clearTimeout(insist);
  };
}

function killerOf(child: ChildProcess): () => Promise<void> {
  return async () => {
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    child.kill('SIGKILL');
    await ended;
  };
}

/** A port on which no process listens now. */
export async function freePort(): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const probe = net.createServer().once('error', reject);
  probe.listen(0, '127.0.0.1', () => {
    const address = probe.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    probe.close(() => resolve(port));
  });
  return promise;
}
