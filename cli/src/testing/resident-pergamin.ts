import { registerHooks } from 'node:module';
import { Writable } from 'node:stream';
import type { Ended } from './run-pergamin.ts';

/** What a command is told by a shell. */
export interface CommandLine {
  readonly args: string[];
  readonly folder: string;
  readonly environment: Record<string, string>;
}

export interface ResidentAnswer {
  readonly ended: Ended;
  /** A program that root started may have gone on as an ordinary user, as which nothing else runs. */
  readonly isSpent: boolean;
}

const spawning = new URL('../run-server-program.ts', import.meta.url).href;
const resident = new URL('./resident-server-program.ts', import.meta.url).href;

// Loading the server takes longer than what most of its programs do.
registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    return resolved.url === spawning ? { ...resolved, url: resident } : resolved;
  },
});
const { runCommand } = await import('#run-command.ts');
const user = process.getuid?.();

/** Puts a new stream in the place of one of this process, and gives what was written to it. */
const collect = (name: 'stdout' | 'stderr'): (() => string) => {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  Object.defineProperty(process, name, { value: stream, configurable: true });
  return () => new TextDecoder().decode(Buffer.concat(chunks));
};

const runLine = async ({ args, folder, environment }: CommandLine): Promise<Ended> => {
  process.chdir(folder);
  process.env = environment;
  process.exitCode = 0;
  const readOut = collect('stdout');
  const readError = collect('stderr');
  const code = await runCommand(args).catch((error: unknown) => {
    process.stderr.write(String(error));
    return 1;
  });
  for (const name of ['SIGINT', 'SIGTERM']) process.removeAllListeners(name);
  return { code, out: readOut(), error: readError() };
};

process.on('message', (line: CommandLine) => {
  void runLine(line).then((ended) => {
    const answer: ResidentAnswer = { ended, isSpent: process.getuid?.() !== user };
    process.send?.(answer);
    if (answer.isSpent) process.disconnect();
  });
});
