import { errorCodes, type ErrorBody, type ErrorCode } from '@pergamin/contract';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { PortalError } from './errors.ts';

/** Refusals of the transport: they carry no code of the catalogue (texts-and-codes, part 1), only their status. */
const transportStatuses = new Set([405, 406, 408, 414, 415, 417, 421, 431]);

/** What Fastify and its plugins throw, as codes of ours. Everything else of theirs with a 4xx status is a VALIDATION_ERROR. */
const codesOfPlugins: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'VALIDATION_ERROR',
  FST_REQ_FILE_TOO_LARGE: 'DOCUMENT_MAX_SIZE_ERROR',
  FST_FILES_LIMIT: 'VALIDATION_ERROR',
  FST_PARTS_LIMIT: 'VALIDATION_ERROR',
  FST_FIELDS_LIMIT: 'VALIDATION_ERROR',
  FST_PROTO_VIOLATION: 'VALIDATION_ERROR',
  FST_INVALID_MULTIPART_CONTENT_TYPE: 'VALIDATION_ERROR',
};

/** `/criteria/metadata/0/id` → `criteria.metadata.0.id`. */
const fieldName = (pointer: string): string => pointer.replace(/^\//, '').replaceAll('/', '.') || 'body';

const validationError = (error: FastifyError): PortalError => {
  const fields: Record<string, string> = {};
  if (hasZodFastifySchemaValidationErrors(error))
    for (const problem of error.validation) fields[fieldName(problem.instancePath)] = problem.message ?? 'invalid';
  return new PortalError('VALIDATION_ERROR', { fields });
};

const asPortalError = (error: FastifyError): PortalError | number => {
  if (error instanceof PortalError) return error;
  if (error.validation !== undefined) return validationError(error);
  const status = error.statusCode ?? 500;
  if (transportStatuses.has(status)) return status;
  const code = codesOfPlugins[error.code];
  if (code !== undefined) return new PortalError(code, { cause: error });
  if (status === 429) return new PortalError('CALL_NOT_PERMITTED', { retryAfterSeconds: 60, cause: error });
  if (status >= 400 && status < 500) return new PortalError('VALIDATION_ERROR', { cause: error });
  return new PortalError('INTERNAL_SERVER_ERROR', { cause: error });
};

/** Turns an error into status and body. Details of what was not expected go to the log under the request id, never to the client. */
export const answerError = (error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  const known = asPortalError(error);
  if (typeof known === 'number') return reply.code(known).send();
  if (known.status >= 500)
    request.log.error({ err: known.cause ?? error, code: known.code, call: request.routeOptions.url }, 'call failed');
  if (known.retryAfterSeconds !== undefined) void reply.header('retry-after', String(known.retryAfterSeconds));
  const entry = errorCodes[known.code];
  const code = 'shownAs' in entry ? entry.shownAs : known.code;
  const body: ErrorBody = {
    code,
    message: code === known.code ? known.message : errorCodes[code].message,
    ...(known.fields === undefined ? {} : { fields: known.fields }),
    ...(known.status >= 500 ? { requestId: request.id } : {}),
  };
  return reply
    .code(known.status)
    .type('application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .serializer(JSON.stringify)
    .send(body);
};

export const answerErrors = (server: FastifyInstance): void => {
  server.setErrorHandler(answerError);
};
