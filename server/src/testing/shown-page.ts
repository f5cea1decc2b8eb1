import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PdfError } from '#platform/pdf/pdf.errors.ts';
import type { PdfPool } from '#platform/pdf/pdf-pool.ts';

/** What a publisher is told of a PDF, and what customers see of its first page. */
export interface ShownPage {
  readonly flags: readonly string[];
  /** In base64. */
  readonly picture: string;
  /** Its lines, in their order. */
  readonly text: string;
}

interface From {
  readonly pool: PdfPool;
  /** Of this test alone. */
  readonly folder: string;
}

let last = 0;

/** Throws PdfError for a file that is refused. */
export const showPage = async ({ pool, folder }: From, pdf: Uint8Array): Promise<ShownPage> => {
  const path = join(folder, `shown-${(last += 1)}.pdf`);
  await writeFile(path, pdf);
  const { flags } = await pool.inspect({ path, engineOf: 'tests' });
  const { imagePath } = await pool.drawPage({ path, page: 1, width: 200, task: { priority: 'waiting' } });
  const lines: string[] = [];
  await pool.readLines({
    path,
    pages: [1],
    onPage: (_, page) => void lines.push(...page.lines.map(({ runs }) => runs.map((run) => run.text).join(''))),
  });
  return { flags, picture: (await readFile(imagePath)).toString('base64'), text: lines.join('\n') };
};

/** The same, or in words why the file is refused. */
export const showOrRefuse = async (from: From, pdf: Uint8Array): Promise<ShownPage | string> => {
  try {
    return await showPage(from, pdf);
  } catch (error) {
    if (error instanceof PdfError) return error.message;
    throw error;
  }
};
