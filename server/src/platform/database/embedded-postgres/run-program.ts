import { spawn } from 'node:child_process';
import { EmbeddedPostgresError } from './errors.ts';

/** The minimal environment of PostgreSQL's programs: that of this process holds secrets that they must not get. */
export const PROGRAM_ENVIRONMENT: Record<string, string> = {
  PATH: process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
};

export interface OperatingSystemUser {
  readonly uid: number;
  readonly gid: number;
  readonly name: string;
}

export interface Program {
  readonly file: string;
  readonly args: readonly string[];
  /** Must be a folder that `user` may enter. */
  readonly cwd: string;
  readonly user?: OperatingSystemUser | undefined;
  readonly input?: string;
}

/**
 * Runs a program to its end and gives what it printed on stdout.
 * @throws EmbeddedPostgresError with everything it printed, when it could not be run or did not end with 0.
 */
export async function runProgram({ file, args, cwd, user, input = '' }: Program): Promise<string> {
  const child = spawn(file, args, { cwd, env: PROGRAM_ENVIRONMENT, stdio: ['pipe', 'pipe', 'pipe'], ...user });
  let printed = '';
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    printed += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (printed += text));
  // A program that ends before it has read everything: its exit code tells the story.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  child.once('error', (error) => reject(new EmbeddedPostgresError(`${file} could not be run: ${error.message}`, { cause: error })));
  child.once('close', (code, signal) => {
    if (code === 0) resolve(output);
    else reject(new EmbeddedPostgresError(`${file} ended with ${code ?? signal}: ${printed.trim()}`));
  });
  return promise;
}
