import type { Readable } from 'node:stream';
import type { Bytes } from './route.ts';

const maxNameLength = 200;
/** Names that Windows keeps for devices. */
const deviceName = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/**
 * The name that a PDF is saved under: `name` with `.pdf` appended if missing, or `{id}.pdf` when nothing is left of it (row P of the
 * requirements). No folders, no control characters or line breaks, no control of text direction (`fdp.exe` could look like
 * another type).
 */
export const pdfFileName = (name: string, id: string): string => {
  const stem = name
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu, '')
    .replaceAll(/[/\\]/g, '')
    .replaceAll(/[<>:"|?*]/g, '_')
    .trim()
    .replace(/\.pdf$/i, '')
    .replace(/^[.\s]+/, '')
    .slice(0, maxNameLength)
    // Half a surrogate pair at the end is removed.
    .replace(/[\ud800-\udbff]$/, '')
    .trim();
  if (stem === '') return `${id}.pdf`;
  return `${deviceName.test(stem) ? '_' : ''}${stem}.pdf`;
};

const asciiName = (name: string): string =>
  name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('ł', 'l')
    .replaceAll('Ł', 'L')
    .replaceAll(/[^\x20-\x7e]|[%"\\]/gu, '_');

const encoded = (name: string): string =>
  encodeURIComponent(name).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * Headers of a file that is to be saved and never shown in the page: RFC 6266's pair of names, a sandbox for browsers that show it all the
 * same, and its exact length where it is known.
 */
export const attachmentHeaders = ({ fileName, size }: { fileName: string; size?: number | bigint }): Record<string, string> => ({
  'content-disposition': `attachment; filename="${asciiName(fileName)}"; filename*=UTF-8''${encoded(fileName)}`,
  ...(size === undefined ? {} : { 'content-length': String(size) }),
  'content-security-policy': "sandbox; default-src 'none'",
  'x-content-type-options': 'nosniff',
});

/** The receipt of a PDF to be saved under the same name, as an answer. */
export const receiptAttachment = (id: string, { fileName, text }: { fileName: string; text: string }): Bytes => {
  const body = Buffer.from(text);
  const name = `${pdfFileName(fileName, id).slice(0, -'.pdf'.length)}.tlog-proof`;
  return { body, contentType: 'text/plain; charset=utf-8', headers: attachmentHeaders({ fileName: name, size: body.length }) };
};

/** A PDF to be saved, as an answer. */
export const pdfAttachment = (id: string, { fileName, size, body }: { fileName: string; size: number; body: Readable }): Bytes => ({
  body,
  contentType: 'application/pdf',
  headers: attachmentHeaders({ fileName: pdfFileName(fileName, id), size }),
});
