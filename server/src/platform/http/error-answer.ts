import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { errorCodes, errorMessages, type ErrorBody, type ErrorCode } from '@pergamin/contract';
import type { ConnectionError, FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { isDatabaseUnavailable } from '#platform/database/unavailable.ts';
import { PortalError } from './errors.ts';
import { closeLingering } from './lingering-close.ts';
import { pageInstead, type RefusalPages } from './refusal-pages.ts';

/** Refusals of the transport: they carry no code of the catalogue (texts-and-codes, part 1), only their status. */
const transportStatuses = new Set([405, 406, 408, 414, 415, 417, 421, 431]);

/** What plugins throw with a status that means something else here. Everything else with a 4xx status is a VALIDATION_ERROR. */
const codesOfPlugins: Record<string, ErrorCode> = {
  FST_REQ_FILE_TOO_LARGE: 'DOCUMENT_MAX_SIZE_ERROR',
  FST_INVALID_MULTIPART_CONTENT_TYPE: 'VALIDATION_ERROR',
  FST_INVALID_JSON_FIELD_ERROR: 'VALIDATION_ERROR',
};

/** The multipart parser's own errors have neither code nor status. */
const brokenMultipart = /multipart data$|^Multipart: |^Malformed part header/;

/** A database that is started again or taken over by another is away for some seconds. */
const databaseRetryAfterSeconds = 5;

/** Set for the answer that failed, wrong for the error that is sent instead. */
const headersOfContent = ['content-disposition', 'content-encoding', 'content-range', 'accept-ranges', 'etag', 'last-modified', 'location'];

/** `/criteria/metadata/0/id` → `criteria.metadata.0.id`. */
const fieldName = (pointer: string): string => pointer.replace(/^\//, '').replaceAll('/', '.');

const validationError = (error: FastifyError): PortalError => {
  const part = error.validationContext ?? 'body';
  const fields: [string, string][] = [];
  if (hasZodFastifySchemaValidationErrors(error))
    for (const { instancePath, keyword, params, message = 'invalid' } of error.validation) {
      const field = fieldName(instancePath);
      const unknown = keyword === 'unrecognized_keys' && Array.isArray(params['keys']) ? params['keys'].map(String) : [];
      for (const key of unknown) fields.push([field === '' ? key : `${field}.${key}`, 'not known here']);
      if (unknown.length === 0) fields.push([field === '' ? part : field, message]);
    }
  return new PortalError('VALIDATION_ERROR', { fields: Object.fromEntries(fields) });
};

/** Only Fastify and its plugins speak of the caller's request; a status on another error is that of some other service's answer. */
const statusOf = ({ code, statusCode = 500 }: Partial<FastifyError>): number =>
  statusCode === 429 || code?.startsWith('FST_') === true ? statusCode : 500;

/** The error for a database that cannot be used at the moment. Undefined for other errors. */
const findOutage = (error: unknown): PortalError | undefined =>
  isDatabaseUnavailable(error)
    ? new PortalError('STORAGE_ERROR', {
        message: 'The database cannot be used at the moment',
        retryAfterSeconds: databaseRetryAfterSeconds,
        cause: error,
      })
    : undefined;

const asPortalError = (error: FastifyError): PortalError | number => {
  if (error instanceof PortalError) return error;
  const outage = findOutage(error);
  if (outage !== undefined) return outage;
  if (error.validation !== undefined) return validationError(error);
  const code = codesOfPlugins[error.code];
  if (code !== undefined) return new PortalError(code, { cause: error });
  const status = statusOf(error);
  if (transportStatuses.has(status)) return status;
  if (status === 429) return new PortalError('CALL_NOT_PERMITTED', { retryAfterSeconds: 60, cause: error });
  const isBodyWrong = (status >= 400 && status < 500) || brokenMultipart.test(error.message);
  if (isBodyWrong) return new PortalError('VALIDATION_ERROR', { cause: error });
  return new PortalError('INTERNAL_SERVER_ERROR', { cause: error });
};

/** The client left before the rest of its request came: an error then has this cause, and its answer is not read. */
const hasLeft = ({ raw }: FastifyRequest): boolean => raw.destroyed && !raw.complete;

/** Turns an error into status and body. Details of an unexpected error go to the log under the request id, never to the client. */
const answerError = (error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  for (const name of headersOfContent) void reply.removeHeader(name);
  void reply.header('cache-control', 'no-store');
  const known = asPortalError(error);
  if (typeof known === 'number') return reply.code(known).send();
  if (hasLeft(request)) request.log.info({ call: request.routeOptions.url }, 'the caller left before the end of the request');
  else if (known.status >= 500)
    request.log.error({ err: known.cause ?? error, code: known.code, call: request.routeOptions.url }, 'call failed');
  if (known.retryAfterSeconds !== undefined) void reply.header('retry-after', String(known.retryAfterSeconds));
  const entry = errorCodes[known.code];
  const code = 'shownAs' in entry ? entry.shownAs : known.code;
  const body: ErrorBody = {
    code,
    message: code === known.code ? known.message : errorMessages[code],
    ...(known.fields === undefined ? {} : { fields: known.fields }),
    ...(known.status >= 500 ? { requestId: request.id } : {}),
  };
  return reply.code(known.status).type('application/json; charset=utf-8').serializer(JSON.stringify).send(body);
};

/** For addresses that the router could not read: no hook runs, so the answer carries the few headers that matter itself. */
export const createUnreadableAnswer =
  (pages: RefusalPages | undefined) =>
  (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    void reply.header('x-content-type-options', 'nosniff').header('content-security-policy', "default-src 'none'");
    const known = asPortalError(error);
    void reply.code(typeof known === 'number' ? known : known.status);
    const page = pages === undefined ? undefined : pageInstead(pages, request, reply);
    if (page === undefined) answerError(error, request, reply);
    else reply.send(page);
  };

const statusesOfParser: Record<string, number> = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 };

/** A browser shows it when its cookies or an address are too long; what it prefers is in the headers that were not read. */
const pageOfConnection = (status: number, pages: RefusalPages | undefined): string => {
  if (status !== 431 || pages === undefined) return 'Content-Length: 0\r\nConnection: close\r\n\r\n';
  const { html, policy } = pages.draw(status, {});
  const headers = [
    `Content-Length: ${Buffer.byteLength(html)}`,
    'Content-Type: text/html; charset=utf-8',
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    `Content-Security-Policy: ${policy}`,
    'Connection: close',
  ];
  return `${headers.join('\r\n')}\r\n\r\n${html}`;
};

/** For what never became a request: a status, then the connection is closed. */
export const createConnectionRefusal =
  (pages: RefusalPages | undefined) =>
  (error: ConnectionError, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    const status = statusesOfParser[error.code] ?? 400;
    if (socket.writable) socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${pageOfConnection(status, pages)}`);
    closeLingering(socket);
  };

/** Delays a refusal for too many calls: a client that repeats it at once would keep the process busy with refusals. */
const tooManyIsToldAfterMs = 250;

export const answerErrors = (server: FastifyInstance): void => {
  server.setErrorHandler(async (error: FastifyError, request, reply) => {
    const known = asPortalError(error);
    if (typeof known !== 'number' && known.status === 429) await setTimeout(tooManyIsToldAfterMs);
    return answerError(error, request, reply);
  });
};
