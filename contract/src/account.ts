import * as z from 'zod/mini';
import { protectedCall } from './call.ts';
import { epochMs, languageCode, typedText } from './values.ts';

/** J1: the channel by which a client wants to be told of news. */
export const channelId = z.enum(['EMAIL', 'SMS']);
export type ChannelId = z.output<typeof channelId>;

/** Null dates: there was none yet, or the service that keeps the password does not tell. */
export const accountInfo = z.object({
  /** Null as well when the address or phone of the chosen one is gone. */
  preferredChannelId: z.nullable(channelId),
  personalId: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  managed: z.boolean(),
  previousSuccessfulLoginDate: z.nullable(epochMs),
  lastFailureLoginDate: z.nullable(epochMs),
});
export type AccountInfo = z.output<typeof accountInfo>;

export const getAccount = protectedCall({
  name: 'getAccount',
  method: 'GET',
  path: '/api/protected/account/self/info/full',
  summary: 'What the portal knows of the caller, and when they signed in before',
  needsStatute: false,
  keepsSessionAlive: true,
  answer: accountInfo,
});

/** J2: a channel that the client has no address or phone for is refused, by the field that is missing (`email`, `phone`). */
export const setupChannel = protectedCall({
  name: 'setupChannel',
  method: 'POST',
  path: '/api/protected/account/setup-channel/:channel',
  summary: 'Chooses where the caller wants to be told of news; idempotent',
  needsStatute: false,
  keepsSessionAlive: true,
  params: z.object({ channel: channelId }),
  answer: 'nothing',
});

/** Throws VALIDATION_ERROR for a language that the installation does not speak (L2). */
export const setupLanguage = protectedCall({
  name: 'setupLanguage',
  method: 'POST',
  path: '/api/protected/account/setup-language/:language',
  summary: 'Chooses the language of the caller’s mail, and of the portal where none was chosen; one of `listLanguages`; idempotent',
  needsStatute: false,
  keepsSessionAlive: false,
  params: z.object({ language: languageCode }),
  answer: 'nothing',
});

const password = typedText(200).check(z.minLength(1));

/** K1, K4: the service that keeps the password checks the rules; refusals come as `fields` or as the history message. */
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

/** K2. Throws VALIDATION_ERROR (`email`) without an address, CALL_NOT_PERMITTED with Retry-After beyond three an hour and for a `managed` client (K3). */
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

/** The message of a VALIDATION_ERROR when a new password was used before; it is compared with the current one and N former ones (K1). */
export const passwordExistsMessage = (previous: number): string => `Password exists. Previous password check: ${previous}`;

/** How many of the last passwords the new one may not be; undefined when the message says something else. */
export const readPasswordExists = (message: string): number | undefined => {
  const found = passwordExists.exec(message)?.[1];
  return found === undefined ? undefined : Number(found) + 1;
};
