import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { publishingLimits } from '@pergamin/contract';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import type * as z from 'zod/mini';
import { invalidField, PortalError } from './errors.ts';
import { assertPlainPart } from './body-encoding.ts';
import { limitMultipart } from './multipart-limit.ts';
import { receiveFile, refuseForDisk } from './received-file.ts';
import { readDescription, refusedPart, textOf, type Upload, wrappingBytes } from './upload.ts';

interface Options<Schema extends z.ZodMiniType> {
  readonly folder: string;
  /** Of one file. */
  readonly maxBytes: number;
  readonly maxPairs: number;
  readonly maxBytesOfAll: number;
  readonly schema: Schema;
}

/** An ordinary statement whole: each pause of the parser stops the connection and starts it again. Publishers are few, and send few parts at once. */
const aheadBytesOfPublisher = 256 * 1024;

interface Pair {
  readonly text: string;
  readonly part: MultipartFile;
}

/** One after the other, in the order of the body. */
async function* listPairs(request: FastifyRequest, { maxBytes, maxPairs, maxBytesOfAll }: Options<z.ZodMiniType>): AsyncGenerator<Pair> {
  if (!request.isMultipart()) throw invalidField('body', 'not multipart/form-data');
  const error = new PortalError('DOCUMENT_MAX_SIZE_ERROR');
  const besidesFiles = maxPairs * (publishingLimits.maxDescriptionBytes + wrappingBytes);
  limitMultipart(request, { maxBytes: Math.max(maxBytes, maxBytesOfAll) + besidesFiles, error });
  // One more than allowed, so that the refusal says what is wrong.
  const limits = { fileSize: maxBytes, files: maxPairs + 1, fields: maxPairs + 1, parts: 2 * maxPairs + 2 };
  // A file that is too large is refused by itself. The option is missing in the parser's types.
  const options = { limits, fileHwm: aheadBytesOfPublisher, throwFileSizeLimit: false };
  let text: string | undefined;
  let pairs = 0;
  for await (const part of request.parts(options)) {
    assertPlainPart(part);
    if (part.type === 'field') {
      if (text !== undefined) throw refusedPart(part.fieldname, 'given twice before a file');
      text = textOf(part);
      continue;
    }
    const problem = pairs === maxPairs ? `more than ${maxPairs}` : text === undefined ? 'without a description before it' : undefined;
    if (part.fieldname !== 'file' || problem !== undefined || text === undefined) {
      part.file.resume();
      throw refusedPart(part.fieldname, problem ?? 'not a part of this call');
    }
    yield { text, part };
    text = undefined;
    pairs += 1;
  }
  if (text !== undefined || pairs === 0) throw invalidField('file', 'missing');
}

const receive = async <Schema extends z.ZodMiniType>(
  { text, part }: Pair,
  path: string,
  schema: Schema,
): Promise<Upload<z.output<Schema>> | PortalError> => {
  const file = await receiveFile(part.file, path);
  if (part.file.truncated) return new PortalError('DOCUMENT_MAX_SIZE_ERROR');
  try {
    return { ...file, description: readDescription(text, schema) };
  } catch (error) {
    if (error instanceof PortalError) return error;
    throw error;
  }
};

/**
 * As `withUpload`, of pairs of `description` and `file` in this order. A pair whose description is wrong or whose file is too large is handed to
 * `use` as its error. Throws VALIDATION_ERROR for a body that is not made of pairs, DOCUMENT_MAX_SIZE_ERROR for one that is too large,
 * STORAGE_ERROR.
 */
export const withUploadPairs = async <Schema extends z.ZodMiniType, Result>(
  request: FastifyRequest,
  options: Options<Schema>,
  use: (uploads: readonly (Upload<z.output<Schema>> | PortalError)[]) => Promise<Result>,
): Promise<Result> => {
  const { folder, schema } = options;
  // Of its own, so that one look finds what was not stored.
  const own = join(folder, randomUUID());
  await mkdir(own, { recursive: true, mode: 0o700 }).catch(refuseForDisk);
  try {
    const uploads: (Upload<z.output<Schema>> | PortalError)[] = [];
    for await (const pair of listPairs(request, options)) uploads.push(await receive(pair, join(own, String(uploads.length)), schema));
    return await use(uploads);
  } finally {
    await rm(own, { recursive: true, force: true });
  }
};
