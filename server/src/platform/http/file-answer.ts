import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { attachmentHeaders, pdfFileName } from './attachment.ts';
import { type ByteRange, readByteRange } from './byte-range.ts';
import type { Bytes } from './route.ts';

/** A PDF whose bytes never change. */
export interface KeptFile {
  readonly id: string;
  readonly fileName: string;
  /** Bytes. */
  readonly size: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  /** All of it, or a part: either way read whole and hashed, so that the last bytes of it follow only when all are right. */
  readonly open: (part?: FilePart) => Promise<Readable>;
}

export interface FilePart {
  readonly range: ByteRange;
  /** With these bytes the caller has the whole file: they end it, and begin it or continue a copy that the caller names (If-Range). */
  readonly completes: boolean;
}

const contentType = 'application/pdf';
export const noBytes = { body: Buffer.alloc(0), contentType };

/** Of the bytes: two files with one tag are the same, so that a copy is only ever continued with bytes of its own file. */
export const entityTagOf = ({ sha256 }: Pick<KeptFile, 'sha256'>): string => `"${sha256}"`;

/** The file to be saved, whole or in part (206, 416). HEAD tells what GET would, and opens nothing. */
export const fileAnswer = async (
  { method, headers: asked }: Pick<FastifyRequest, 'method' | 'headers'>,
  { open, ...file }: KeptFile,
): Promise<Bytes> => {
  const { id, fileName, size } = file;
  const etag = entityTagOf(file);
  const headers = { ...attachmentHeaders({ fileName: pdfFileName(fileName, id), size }), etag, 'accept-ranges': 'bytes' };
  // A range is a matter of GET alone.
  if (method === 'HEAD') return { ...noBytes, headers };
  const ifRange = asked['if-range'];
  const range = ifRange === undefined || ifRange === etag ? readByteRange(asked.range, size) : undefined;
  if (range === undefined) return { body: await open(), contentType, headers };
  if (range === 'unsatisfiable') return { ...noBytes, headers: { 'content-range': `bytes */${size}` }, status: 416 };
  const completes = range.end === size - 1 && (range.start === 0 || ifRange === etag);
  const { start, end } = range;
  const part = { 'content-range': `bytes ${start}-${end}/${size}`, 'content-length': String(end - start + 1) };
  return { body: await open({ range, completes }), contentType, headers: { ...headers, ...part }, status: 206 };
};
