/** What `npm test -- --changed` looks at. */
import { spawnSync } from 'node:child_process';
import { root, SetupError } from './bootstrap.mjs';

/** Of what the web client is made, and what its journeys are. */
const ofWebClient = ['web', 'contract', 'design', 'languages', 'e2e', 'package-lock.json'];

/**
 * @param {string} since a commit or a branch
 * @returns {string[]} paths from the root, of files that were never added, too
 */
export function changedSince(since, folder = root) {
  return [
    ['diff', '--name-only', '--no-renames', since, '--'],
    ['ls-files', '--others', '--exclude-standard'],
  ].flatMap((args) => {
    const { status, stdout, stderr } = spawnSync('git', args, { cwd: folder, encoding: 'utf8' });
    if (status !== 0) throw new SetupError(`git cannot say what has changed since ${since}: ${stderr}`);
    return stdout.split('\n').filter((line) => line !== '');
  });
}

/** @param {readonly string[]} files */
export function reachesWebClient(files) {
  return files.some((file) => ofWebClient.some((place) => file === place || file.startsWith(`${place}/`)));
}
