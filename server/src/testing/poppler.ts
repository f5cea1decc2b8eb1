import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const limits = { timeout: 60_000, maxBuffer: 256 * 1024 * 1024 } as const;

/** Another reader of PDFs (Debian: poppler-utils), to compare with. */
export const isPopplerThere = ((): boolean => {
  try {
    execFileSync('pdftoppm', ['-v'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

/** The first page as PNG, so many pixels wide, of a page of so many points. Undefined when poppler cannot draw it. */
export const drawByPoppler = async (path: string, { width, points }: { width: number; points: number }): Promise<Buffer | undefined> => {
  const resolution = String((72 * width) / points);
  const options = ['-q', '-cropbox', '-f', '1', '-l', '1', '-singlefile', '-png', '-r', resolution, path];
  const { stdout } = await run('pdftoppm', options, { ...limits, encoding: 'buffer' }).catch(() => ({ stdout: Buffer.alloc(0) }));
  return stdout.length === 0 ? undefined : stdout;
};

/** The text of the first page. Empty when poppler cannot read it. */
export const readByPoppler = async (path: string): Promise<string> => {
  const { stdout } = await run('pdftotext', ['-q', '-f', '1', '-l', '1', path, '-'], limits).catch(() => ({ stdout: '' }));
  return stdout;
};
