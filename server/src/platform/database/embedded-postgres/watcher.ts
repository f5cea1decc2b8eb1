import { spawn } from 'node:child_process';
import type { OperatingSystemUser } from './operating-system-user.ts';
import { PROGRAM_ENVIRONMENT } from './run-program.ts';

export interface Watcher {
  /** The database has ended, or its owner ends it: nothing to watch any more. */
  dismiss(): void;
}

/*
 * A line on stdin is the dismissal; the end of stdin is the death of the owner, however it came. Then: a fast shutdown, and when that takes
 * too long an immediate one (both safe: the log is replayed at the next start). The process is only signalled while the data folder's own
 * pid file names it, so that a process id that was reused meanwhile is left alone.
 */
const SCRIPT = `
postmaster=$1
pid_file=$2/postmaster.pid
is_running() {
  read -r first 2>/dev/null <"$pid_file" && [ "$first" = "$postmaster" ] && kill -0 "$postmaster" 2>/dev/null
}
stop_with() {
  is_running || exit 0
  kill -s "$1" "$postmaster" 2>/dev/null
  left=$2
  while [ "$left" -gt 0 ]; do
    sleep 0.1 2>/dev/null || sleep 1
    is_running || exit 0
    left=$((left - 1))
  done
}
read -r dismissal && exit 0
stop_with INT 25
stop_with QUIT 15
stop_with KILL 1
`;

/**
 * Starts a small process that outlives its owner for one purpose: to stop the database when the owner ends without having done so.
 * It has a session of its own, so that neither Ctrl-C nor a signal to our process group ends it first.
 */
export function startWatcher({
  postmaster,
  dataFolder,
  user,
}: {
  postmaster: number;
  dataFolder: string;
  user: OperatingSystemUser | undefined;
}): Watcher {
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'pergamin-watcher', String(postmaster), dataFolder], {
    cwd: '/',
    env: PROGRAM_ENVIRONMENT,
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    ...user,
  });
  // Without a shell there is none, which is no reason not to start: the next start ends what was left.
  child.on('error', () => {});
  child.stdin.on('error', () => {});
  child.unref();
  return {
    dismiss: () => {
      child.stdin.end('dismissed\n');
    },
  };
}
