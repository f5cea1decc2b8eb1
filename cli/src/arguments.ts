import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { UsageError } from './errors.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

/** Options and other words of a command. Throws UsageError, which ends with the command's usage, for an option that is not known. */
export const readArguments = <const O extends Options>(args: string[], { options, usage }: { options: O; usage: string }) => {
  try {
    return parseArgs({ args, allowPositionals: true, options });
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : 'the options do not fit'}\n\n${usage}`, { cause: error });
  }
};

/** The file is read while it is sent. Throws UsageError when there is none. */
export const openPdf = async (path: string): Promise<Blob> => {
  const isFile = await stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
  if (!isFile) throw new UsageError(`${path} is not a readable file`);
  return openAsBlob(path, { type: 'application/pdf' });
};

/** In epoch ms. Only with its offset: without one it would be another moment on each machine. Throws UsageError. */
export const readMoment = (option: string, text: string): number => {
  const moment = /(?:Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(moment)) throw new UsageError(`${option} ${text}: write a moment like 2027-01-01T00:00:00+01:00`);
  return moment;
};
