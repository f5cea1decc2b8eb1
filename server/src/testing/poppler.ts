import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const limits = { timeout: 60_000, maxBuffer: 256 * 1024 * 1024 } as const;
const fonts = ['/usr/share/fonts/truetype/liberation', '/usr/share/fonts/truetype/dejavu'];
const needed = ['/usr/bin/pdftoppm', '/usr/share/poppler/cMap', ...fonts];

/** Another reader of PDFs, with the fonts that it draws with where a file brings none; said in the output where something of it is missing. */
export const hasPoppler = (): boolean => {
  const isThere = needed.every((path) => existsSync(path));
  if (!isThere)
    process.stdout.write(
      'skipped: Debian’s poppler is not installed (apt-get install poppler-utils poppler-data fonts-liberation fonts-dejavu-core)\n',
    );
  return isThere;
};

export interface Poppler extends AsyncDisposable {
  /** The first page as PNG, so many pixels wide, of a page of so many points. Undefined when poppler cannot draw it. */
  draw(path: string, size: { width: number; points: number }): Promise<Buffer | undefined>;
  /** The text of the first page. Empty when poppler cannot read it. */
  read(path: string): Promise<string>;
}

/** With these fonts alone, so that the same is drawn on every machine. */
export const preparePoppler = async (): Promise<Poppler> => {
  const folder = await mkdtemp(join(tmpdir(), 'poppler-'));
  const configuration = join(folder, 'fonts.conf');
  const folders = fonts.map((font) => `<dir>${font}</dir>`).join('');
  await writeFile(
    configuration,
    `<?xml version="1.0"?><fontconfig>${folders}<include>/etc/fonts/conf.d</include><cachedir>${join(folder, 'cache')}</cachedir></fontconfig>`,
  );
  const options = { ...limits, env: { ...process.env, FONTCONFIG_FILE: configuration } };
  return {
    async draw(path, { width, points }) {
      const resolution = String((72 * width) / points);
      const given = ['-q', '-cropbox', '-f', '1', '-l', '1', '-singlefile', '-png', '-r', resolution, path];
      const { stdout } = await run('pdftoppm', given, { ...options, encoding: 'buffer' }).catch(() => ({ stdout: Buffer.alloc(0) }));
      return stdout.length === 0 ? undefined : stdout;
    },
    async read(path) {
      const { stdout } = await run('pdftotext', ['-q', '-f', '1', '-l', '1', path, '-'], options).catch(() => ({ stdout: '' }));
      return stdout;
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
};
