/** Why a file or folder could not be read or written. */
export interface FileProblem {
  readonly sentence: string;
  /** Every other file there meets the same. */
  readonly isOfDisk: boolean;
}

const problems: Readonly<Record<string, readonly [sentence: string, isOfDisk?: true]>> = {
  ENOSPC: ['the disk is full', true],
  EDQUOT: ['what this user may keep on the disk is used up', true],
  EROFS: ['the disk can only be read', true],
  EIO: ['the disk does not work', true],
  EISDIR: ['a folder stands where a file is to be'],
  EEXIST: ['a file stands where a folder is to be'],
  ENOTDIR: ['a file stands where a folder is to be'],
  ENOTEMPTY: ['a folder stands where a file is to be'],
  ENOENT: ['there is no such file or folder'],
  ENAMETOOLONG: ['its name is too long'],
  EFBIG: ['it is larger than this disk can keep'],
  EACCES: ['this user may not'],
  EPERM: ['this user may not'],
  EBUSY: ['another program holds it'],
  EMFILE: ['too many files are open'],
};

/** Of what the file system throws; undefined: it is nothing of it. `path` where the error names none. */
export const fileProblem = (error: unknown, path?: string): FileProblem | undefined => {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  const found = Object.hasOwn(problems, error.code) ? problems[error.code] : undefined;
  const named = 'path' in error && typeof error.path === 'string' ? error.path : path;
  if (found === undefined || named === undefined) return undefined;
  const [sentence, isOfDisk = false] = found;
  return { sentence: `${named}: ${sentence} (${error.code})`, isOfDisk };
};
