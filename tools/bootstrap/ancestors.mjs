import fs from 'node:fs';

/**
 * Who started this process, as one comparable string: the parent and, where npm is behind a shell, every process up to npm.
 * It changes as soon as one of them ends, because the kernel gives the orphan a new parent.
 */
export function ancestors() {
  const chain = [process.ppid];
  if (process.env.npm_lifecycle_event === undefined) return chain.join();
  for (let pid = process.ppid, depth = 0; depth < 3; depth += 1) {
    const seen = look(pid);
    if (seen === undefined || seen.name.startsWith('npm')) break;
    pid = seen.parent;
    chain.push(pid);
  }
  return chain.join();
}

function look(pid) {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    const end = stat.lastIndexOf(')');
    return { name: stat.slice(stat.indexOf('(') + 1, end), parent: Number(stat.slice(end + 4).split(' ')[0]) };
  } catch {
    return undefined;
  }
}
