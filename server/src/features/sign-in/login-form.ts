import type { FastifyRequest } from 'fastify';
import { assertPlainPart } from '#platform/http/body-encoding.ts';
import { invalidField, PortalError } from '#platform/http/errors.ts';
import { readLoginCode } from './sign-in.rules.ts';

const maxFieldBytes = 2_048;

/** Reads the one field `code` of the login form. Throws VALIDATION_ERROR for anything else in it. */
export const readLoginForm = async (request: FastifyRequest): Promise<{ code: string; verifier: string }> => {
  if (!request.isMultipart()) throw new PortalError('VALIDATION_ERROR', { fields: { body: 'must be multipart/form-data' } });
  let code: string | undefined;
  for await (const part of request.parts({ limits: { files: 0, fields: 1, parts: 1, fieldSize: maxFieldBytes } })) {
    assertPlainPart(part);
    if (part.type !== 'field' || part.fieldname !== 'code' || typeof part.value !== 'string' || part.valueTruncated)
      throw invalidField(part.fieldname, 'not expected here');
    code = part.value;
  }
  if (code === undefined) throw invalidField('code', 'missing');
  return readLoginCode(code);
};
