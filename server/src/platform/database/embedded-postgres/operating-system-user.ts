import { readFile } from 'node:fs/promises';
import { EmbeddedPostgresError } from './errors.ts';

export interface OperatingSystemUser {
  readonly uid: number;
  readonly gid: number;
}

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** PostgreSQL refuses to run as root, and initdb wants a user that /etc/passwd knows: `nobody` is there on every Linux. */
export async function getUnprivilegedUser(): Promise<OperatingSystemUser> {
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '');
  for (const line of passwd.split('\n')) {
    const [name, , uid, gid] = line.split(':');
    if (name === 'nobody' && Number(uid) > 0 && Number(gid) > 0) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new EmbeddedPostgresError(
    'PostgreSQL does not run as root, and /etc/passwd has no user "nobody" to run it as: start as an ordinary user, or set DATABASE_URL',
  );
}
