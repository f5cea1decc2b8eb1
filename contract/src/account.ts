import * as z from 'zod/mini';
import { protectedCall } from './call.ts';

const password = z.string().check(z.minLength(1), z.maxLength(200));

/** K1, K4: rules of the new password are checked by who keeps it; refusals come as `fields` or as the history message. */
export const changePassword = protectedCall({
  name: 'changePassword',
  method: 'POST',
  path: '/api/protected/account/change/password',
  summary: 'Changes the password of a local account and ends all other sessions of the person',
  needsStatute: false,
  keepsSessionAlive: true,
  body: z.strictObject({ oldPassword: password, newPassword: password }),
  answer: 'nothing',
});

export const requestPasswordReset = protectedCall({
  name: 'requestPasswordReset',
  method: 'POST',
  path: '/api/protected/account/reset-password',
  summary: 'Mails a link that sets a new password: single use, 30 minutes',
  needsStatute: false,
  keepsSessionAlive: true,
  answer: 'nothing',
});

/** What is wrong with a new password beyond its form, as `fields.newPassword` words it; the client shows a sentence for each. */
export const passwordFaultWords = {
  personalId: 'must not contain the personal id',
  common: 'is one of the passwords that are guessed first',
} as const;

const passwordExists = /^Password exists\. Previous password check: (\d{1,3})$/;

/** The message of a VALIDATION_ERROR when a new password was used before; N + 1 passwords are looked at (K1). */
export const passwordExistsMessage = (previous: number): string => `Password exists. Previous password check: ${previous}`;

/** How many of the last passwords the new one may not be; undefined when the message says something else. */
export const readPasswordExists = (message: string): number | undefined => {
  const found = passwordExists.exec(message)?.[1];
  return found === undefined ? undefined : Number(found) + 1;
};
