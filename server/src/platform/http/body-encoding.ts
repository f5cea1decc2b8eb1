import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { hasBody } from './lingering-close.ts';

const charsets = /;\s*charset\s*=\s*"?([^";\s]*)/gi;

/** A body is read as the bytes that came, and as UTF-8 where it is text: what is compressed or written otherwise would be read as something else. */
const isReadAsWritten = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean => {
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  const named = [...(headers['content-type'] ?? '').matchAll(charsets)];
  return (coding === 'identity' || coding === '') && named.every(([, name = '']) => /^utf-?8$/i.test(name));
};

const unread = (type: string | undefined): Error => new Fastify.errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE(type);

/** 415 for a body with a content coding or a charset that is not decoded here. After the hooks that refuse by caller or address. */
export const refuseOtherEncodings = (server: FastifyInstance): void => {
  server.addHook('preParsing', async (request) => {
    if (hasBody(request.raw) && !isReadAsWritten(request)) throw unread(request.headers['content-type']);
  });
};

/** The parser of multipart bodies hands on the parts as they came, also those that say they are in base64. Throws what is answered as 415. */
export const assertPlainPart = ({ encoding, mimetype }: { readonly encoding: string; readonly mimetype: string }): void => {
  if (!['7bit', '8bit', 'binary'].includes(encoding.toLowerCase())) throw unread(mimetype);
};
