/** What a file is, of those that are handed in together. */
export type GivenKind = 'file' | 'receipt' | 'keys';

/** More than a receipt or a policy may have. */
export const maxTextBytes = 512 * 1024;
const headBytes = 4 * 1024;

/** By its first characters: browsers and mail programs change the names of files. */
export const kindOf = async (file: File): Promise<GivenKind> => {
  if (isReceiptName(file.name)) return 'receipt';
  if (file.size > maxTextBytes) return 'file';
  const head = await file.slice(0, headBytes).text();
  if (head.startsWith('c2sp.org/tlog-proof@')) return 'receipt';
  return /^(?:[ \t]*(?:#.*)?\r?\n)*(?:log|witness|group|quorum)[ \t]/.test(head) ? 'keys' : 'file';
};

/** So that files that are dropped on another way in still find theirs. */
export const holdsReceipt = (files: readonly File[]): boolean => files.some(({ name }) => isReceiptName(name));

const isReceiptName = (name: string): boolean => /\.tlog-proof$/i.test(name);
