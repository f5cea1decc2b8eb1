import type { ActiveContent } from '@pergamin/contract';
import { PortalError } from '#platform/http/errors.ts';
import { PdfError } from './pdf.errors.ts';
import type { InspectionJob, PdfInspection, PdfPool } from './pdf-pool.ts';

interface Options extends InspectionJob {
  /** What the PDF may not hold. */
  readonly refuse: readonly ActiveContent[];
}

/** Sent in `message`: why this PDF is refused. */
const reasons = {
  ENCRYPTED: 'The PDF needs a password',
  BROKEN: 'The PDF is broken or has no pages',
  TOO_MANY_PAGES: 'The PDF has too many pages',
  UNDRAWABLE: 'The PDF is broken or has no pages',
  RENDER_FAILED: 'The PDF could not be read in time',
} as const;

const holds: Record<ActiveContent, string> = {
  JAVASCRIPT: 'a script',
  LAUNCH: 'an action that starts a program',
  EMBEDDED_FILE: 'an attached file',
  FORM_SUBMIT: 'a form that is sent somewhere',
  OUTSIDE_LINK: 'a link to the outside',
  XFA: 'a form in XML (XFA)',
  RICH_MEDIA: 'sound, film or 3D',
};

/**
 * Inspects an uploaded PDF without changing it. Throws INVALID_DOC_TYPE for other files, and DOCUMENT_UPLOAD_ERROR with the reason in words.
 * Where anything is to be refused, a PDF that could not be inspected completely is refused, too.
 */
export const inspectUpload = async (pdf: Pick<PdfPool, 'inspect'>, { refuse, ...job }: Options): Promise<PdfInspection> => {
  const inspection = await inspect(pdf, { mustBeReadWhole: refuse.length > 0, ...job });
  const refused = refuse.find((flag) => inspection.flags.includes(flag));
  if (refused !== undefined) throw new PortalError('DOCUMENT_UPLOAD_ERROR', { message: `The PDF holds ${holds[refused]}` });
  if (refuse.length > 0 && inspection.unread !== undefined) throw notInspected(inspection.unread);
  return inspection;
};

const notInspected = (why: string): PortalError =>
  new PortalError('DOCUMENT_UPLOAD_ERROR', { message: `The PDF could not be inspected: ${why}` });

const inspect = async (pdf: Pick<PdfPool, 'inspect'>, job: InspectionJob): Promise<PdfInspection> => {
  try {
    return await pdf.inspect(job);
  } catch (error) {
    if (!(error instanceof PdfError)) throw error;
    if (error.code === 'NOT_A_PDF') throw new PortalError('INVALID_DOC_TYPE', { fields: { file: error.detail }, cause: error });
    if (error.code === 'TOO_MUCH') throw notInspected(error.detail);
    throw new PortalError('DOCUMENT_UPLOAD_ERROR', { message: reasons[error.code], cause: error });
  }
};
