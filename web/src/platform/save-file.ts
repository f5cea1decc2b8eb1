/** The name a download is saved under: the given name with `.pdf` when it is missing, or the document's id. */
export const pdfName = (name: string | undefined, id: string): string => {
  const trimmed = name?.trim() ?? '';
  if (trimmed === '') return `${id}.pdf`;
  return /\.pdf$/i.test(trimmed) ? trimmed : `${trimmed}.pdf`;
};

/** Hands bytes to the browser's own downloads. */
export const saveFile = (bytes: Blob, name: string): void => {
  const url = URL.createObjectURL(bytes);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken the bytes over once the click's task is done.
  setTimeout(() => URL.revokeObjectURL(url), 0);
};
