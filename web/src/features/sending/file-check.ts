import { sendingLimits } from '@pergamin/contract';

export type FileProblem = keyof typeof problemSentences;

export const problemSentences = { several: 'sending.oneFile', type: 'sending.wrongType', size: 'code.DOCUMENT_MAX_SIZE_ERROR' } as const;

/** A reader of PDFs looks for the mark within this many bytes. */
const headBytes = 1_024;
const mark = '%PDF-';

const isNamedAsPdf = ({ name, type }: File): boolean => type === 'application/pdf' || (type === '' && /\.pdf$/i.test(name));

/** By its name and by its bytes: a file that was only renamed is no PDF. */
const isPdf = async (file: File): Promise<boolean> => {
  if (!isNamedAsPdf(file)) return false;
  const head = new Uint8Array(await file.slice(0, headBytes).arrayBuffer());
  return new TextDecoder('latin1').decode(head).includes(mark);
};

/** The rules of H1; the server checks them again. A file that cannot be read any more is taken for one of another type. */
export const findProblem = async (file: File): Promise<FileProblem | undefined> => {
  if (!(await isPdf(file).catch(() => false))) return 'type';
  return file.size > sendingLimits.maxFileBytes ? 'size' : undefined;
};
