import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type ErrorCode, publishingLimits } from '@pergamin/contract';
import type { MultipartValue } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { safeParse } from 'zod/mini';
import type * as z from 'zod/mini';
import { PortalError } from './errors.ts';
import { assertPlainPart } from './body-encoding.ts';
import { limitMultipart } from './multipart-limit.ts';
import { receiveFile, type ReceivedFile, refuseForDisk } from './received-file.ts';

/** A file that was sent, complete, on this machine's disk; not yet stored as an object. */
export interface Upload<Description> {
  readonly description: Description;
  readonly path: string;
  readonly sha256: string;
  readonly size: number;
}

interface Received {
  description?: string;
  file?: ReceivedFile;
}

interface Options<Schema extends z.ZodMiniType> {
  readonly folder: string;
  readonly maxBytes: number;
  readonly schema: Schema;
}

/** Then the parser waits until the piece before is taken. */
const aheadBytes = 16 * 1024;

/** A schema would silently drop `__proto__`; the sender should be told that it is no key. */
const refusePrototypeKeys = (json: unknown): void => {
  if (json === null || typeof json !== 'object') return;
  if (Object.hasOwn(json, '__proto__')) throw new PortalError('VALIDATION_ERROR', { fields: { ['__proto__']: 'not a field' } });
  const metadata: unknown = 'metadata' in json ? json.metadata : undefined;
  if (metadata !== null && typeof metadata === 'object' && Object.hasOwn(metadata, '__proto__'))
    throw new PortalError('DOCUMENT_METADATA_ERROR', { fields: { ['__proto__']: 'not a metadata key' } });
};

/** Fields of a description whose wrong value has a code of its own. */
const codesOfFields: ReadonlyMap<string, ErrorCode> = new Map<string, ErrorCode>([
  ['type', 'INVALID_DOC_TYPE'],
  ['sha256', 'INVALID_SHA256'],
]);

const refusalOf = (issues: readonly z.core.$ZodIssue[], json: unknown): PortalError => {
  const fields = Object.fromEntries(issues.map((issue) => [issue.path.join('.') || 'description', issue.message]));
  const [field = '', ...others] = Object.keys(fields);
  // What is missing, or wrong in several places, is a malformed description.
  const isOneValue = others.length === 0 && json !== null && typeof json === 'object' && Object.hasOwn(json, field);
  return new PortalError((isOneValue ? codesOfFields.get(field) : undefined) ?? 'VALIDATION_ERROR', { fields });
};

export const readDescription = <Schema extends z.ZodMiniType>(text: string | undefined, schema: Schema): z.output<Schema> => {
  if (text === undefined) throw new PortalError('VALIDATION_ERROR', { fields: { description: 'missing' } });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new PortalError('VALIDATION_ERROR', { fields: { description: 'not JSON' } });
  }
  refusePrototypeKeys(json);
  const read = safeParse(schema, json);
  if (read.success) return read.data;
  throw refusalOf(read.error.issues, json);
};

export const refusedPart = (name: string, problem: string): PortalError =>
  new PortalError('VALIDATION_ERROR', { fields: { [name.slice(0, 50)]: problem } });

/** Boundaries and headers of the two parts. */
export const wrappingBytes = 32 * 1024;

/** Of a description. */
export const textOf = ({ fieldname, value, valueTruncated }: MultipartValue): string => {
  if (fieldname !== 'description') throw refusedPart(fieldname, 'not a part of this call');
  if (valueTruncated) throw refusedPart(fieldname, `longer than ${publishingLimits.maxDescriptionBytes} bytes`);
  // The parser has read a part of type JSON already.
  return typeof value === 'string' ? value : JSON.stringify(value);
};

const receiveParts = async (request: FastifyRequest, path: string, maxBytes: number): Promise<Received> => {
  const received: Received = {};
  if (!request.isMultipart()) throw new PortalError('VALIDATION_ERROR', { fields: { body: 'not multipart/form-data' } });
  const error = new PortalError('DOCUMENT_MAX_SIZE_ERROR');
  limitMultipart(request, { maxBytes: maxBytes + publishingLimits.maxDescriptionBytes + wrappingBytes, error });
  for await (const part of request.parts({ limits: { fileSize: maxBytes, files: 1 }, fileHwm: aheadBytes })) {
    assertPlainPart(part);
    if (part.type === 'file') {
      if (part.fieldname !== 'file') {
        part.file.resume();
        throw refusedPart(part.fieldname, 'not a part of this call');
      }
      received.file = await receiveFile(part.file, path);
      if (part.file.truncated) throw new PortalError('DOCUMENT_MAX_SIZE_ERROR');
      continue;
    }
    // Two could contradict each other: what one reader takes for private, another would publish.
    if (received.description !== undefined) throw refusedPart(part.fieldname, 'given twice');
    received.description = textOf(part);
  }
  return received;
};

/**
 * Receives a multipart request with the parts `description` (JSON) and `file` in either order, hands the upload to `use`, and removes the
 * file in every case (a broken connection included). Throws VALIDATION_ERROR, INVALID_DOC_TYPE, INVALID_SHA256, DOCUMENT_MAX_SIZE_ERROR
 * and STORAGE_ERROR.
 */
export const withUpload = async <Schema extends z.ZodMiniType, Result>(
  request: FastifyRequest,
  { folder, maxBytes, schema }: Options<Schema>,
  use: (upload: Upload<z.output<Schema>>) => Promise<Result>,
): Promise<Result> => {
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch(refuseForDisk);
  const path = join(folder, randomUUID());
  try {
    const { description, file } = await receiveParts(request, path, maxBytes);
    const described = readDescription(description, schema);
    if (file === undefined) throw new PortalError('VALIDATION_ERROR', { fields: { file: 'missing' } });
    return await use({ ...file, description: described });
  } finally {
    await rm(path, { force: true });
  }
};
