import { readFileSync } from 'node:fs';

/** More than any secret of the settings is long; a wrong path to a large file is refused instead of read as a password. */
const longestBytes = 64 * 1024;

export interface SecretFiles {
  /** The environment, with the content of each file under the name of its setting, without one line end after it. */
  readonly written: Readonly<Record<string, string | undefined>>;
  /** A sentence for each file that cannot be used. None holds anything of a file's content. */
  readonly problems: readonly string[];
}

/** What a failed read says to an operator; the path is in the environment already, and is not repeated. */
const reasonOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unreadable';

const readSecret = (path: string): { readonly secret: string } | { readonly problem: string } => {
  try {
    const bytes = readFileSync(path);
    if (bytes.length > longestBytes) return { problem: 'the file is longer than 64 KiB' };
    const secret = new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r?\n$/, '');
    return secret === '' ? { problem: 'the file is empty' } : { secret };
  } catch (error) {
    if (error instanceof TypeError) return { problem: 'the file is not UTF-8' };
    return { problem: `the file cannot be read (${reasonOf(error)})` };
  }
};

/**
 * Reads the files that NAME_FILE names for each of these settings, as container platforms and systemd credentials provide secrets.
 * A setting that is written both ways is a problem, so that an old value does not win unnoticed.
 */
export const readSecretFiles = (environment: NodeJS.ProcessEnv, names: readonly string[]): SecretFiles => {
  const written: Record<string, string | undefined> = { ...environment };
  const problems: string[] = [];
  for (const name of names) {
    const path = environment[`${name}_FILE`] ?? '';
    if (path === '') continue;
    if ((environment[name] ?? '') !== '') {
      problems.push(`${name}_FILE: ${name} is set as well; leave one of them out.`);
      continue;
    }
    const read = readSecret(path);
    if ('secret' in read) written[name] = read.secret;
    else problems.push(`${name}_FILE: ${read.problem}.`);
  }
  return { written, problems };
};
