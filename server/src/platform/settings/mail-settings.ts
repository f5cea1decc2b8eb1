import { patternedText } from '@pergamin/contract';
import * as z from 'zod/mini';

const isDecodable = (written: string): boolean => {
  try {
    return decodeURIComponent(written) !== '';
  } catch {
    return false;
  }
};

const isMailServer = (written: string): boolean => {
  if (!/^smtps?:\/\//i.test(written) || !URL.canParse(written)) return false;
  const { hostname, pathname, search, hash, username, password } = new URL(written);
  const isBare = (pathname === '' || pathname === '/') && search === '' && hash === '';
  return hostname !== '' && isBare && (username === '') === (password === '') && (username === '' || isDecodable(username + password));
};

/** smtps:// uses TLS from the start, smtp:// STARTTLS. */
export const smtpUrl = z.pipe(
  z.string().check(z.minLength(1), z.refine(isMailServer, { error: 'not an address like smtps://user:password@mail.example.com:465' })),
  z.transform((written) => new URL(written)),
);

export const mailAddress = patternedText(/^[^\s@<>"(),:;\\[\]]+@[^\s@<>"(),:;\\[\]]+$/, {
  maxLength: 254,
  error: 'not an address like no-reply@documents.example.com',
});
