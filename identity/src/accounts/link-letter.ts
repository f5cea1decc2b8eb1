import { createHash, randomBytes } from 'node:crypto';
import { type IdentityMail, mountPath } from '../parts.ts';
import { resetLifetimeMs } from '../throttle/throttle.rules.ts';

const activationLifetimeMs = 7 * 24 * 3_600_000;

export interface Reader {
  readonly personalId: string;
  readonly email: string;
  readonly language: string;
}

/** What the link in a letter does. */
export type Purpose = 'reset' | 'activation' | 'activationWithCode';

interface LinkLetter {
  readonly letter: IdentityMail;
  readonly tokenHash: Buffer;
  readonly expiresAt: Date;
}

/** Only this hash of a link's token is stored; the token is in the fragment (`#`), which browsers send to no server and no log. */
export const hashOfToken = (token: string): Buffer => createHash('sha256').update(token).digest();

const pages: Readonly<Record<Purpose, string>> = { reset: 'reset', activation: 'reset', activationWithCode: 'activate' };

export const createLinkLetters = ({ publicUrl, timeZone }: { publicUrl: URL; timeZone: string }) => {
  // Made once for each language: an import writes a hundred thousand letters.
  const formats = new Map<string, Intl.DateTimeFormat>();
  const formatOf = (language: string): Intl.DateTimeFormat => {
    const locale = language === 'EN' ? 'en-GB' : language.toLowerCase();
    const format = formats.get(locale) ?? new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone });
    formats.set(locale, format);
    return format;
  };
  const formatTime = (at: Date, language: string): string => formatOf(language).format(at);
  return {
    formatTime,

    /** A letter with a new link. An invitation also tells the personal id (R4), which the owner of an account already knows. */
    write({ personalId, email, language }: Reader, purpose: Purpose, at: Date): LinkLetter {
      const token = randomBytes(32).toString('base64url');
      const expiresAt = new Date(at.getTime() + (purpose === 'reset' ? resetLifetimeMs : activationLifetimeMs));
      const link = new URL(`${mountPath}/${pages[purpose]}?lang=${language.toLowerCase()}#${token}`, publicUrl).href;
      const values = { link, time: formatTime(expiresAt, language) };
      const letter: IdentityMail =
        purpose === 'reset'
          ? { to: email, language, template: 'passwordReset', values, validUntil: expiresAt }
          : { to: email, language, template: purpose, values: { ...values, personalId }, validUntil: expiresAt };
      return { letter, tokenHash: hashOfToken(token), expiresAt };
    },
  };
};

export type LinkLetters = ReturnType<typeof createLinkLetters>;
