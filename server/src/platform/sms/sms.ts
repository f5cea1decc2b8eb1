import { type Outage, untoldOutage } from '#platform/log/outages.ts';
import { readBodyTemplate } from './body-template.ts';

/** Where SMS go, and in which words the gateway wants them; docs/notices.md tells of the adapter. */
export interface SmsSettings {
  readonly url: URL;
  readonly token: string | undefined;
  /** `Name: value`; {{token}} in it is replaced by the token. */
  readonly header: string;
  readonly body: string;
  /** Where in the answer the gateway's own id of the message is, like `messages.0.id`. */
  readonly messageIdAt: string;
  /** Undefined: the gateway does not tell what became of a message. */
  readonly report: SmsReportSettings | undefined;
}

/** How the gateway tells what became of a message. */
export interface SmsReportSettings {
  /** A part of the address that the gateway calls. */
  readonly token: string;
  /** Where in a report the ids are, like `results.*.messageId`, or the name of a form's field. */
  readonly idAt: string;
  readonly statusAt: string;
  /** The statuses by which it says that a message was not delivered; small letters. */
  readonly failed: readonly string[];
}

export interface Sms {
  /** + and digits. */
  readonly to: string;
  readonly text: string;
  /** The same however often it is tried; also sent as Idempotency-Key. */
  readonly reference: string;
}

export type SmsGateway = ReturnType<typeof createSmsGateway>;

/** The gateway did not take the message. Neither the number nor the token is in the words. */
export class SmsError extends Error {
  override readonly name = 'SmsError';
  /** The gateway said that trying again is of no use. */
  readonly isFinal: boolean;

  constructor(message: string, options: ErrorOptions & { isFinal: boolean }) {
    super(message, options);
    this.isFinal = options.isFinal;
  }
}

const timeoutMs = 10_000;
/** Of an answer; more is not read. */
const maxAnswerBytes = 64 * 1024;
const maxIdLength = 200;
/** 401 speaks of our token and is put right by the operator; the others pass. */
const passingStatuses = new Set([401, 408, 425, 429]);

const headerOf = ({ header, token }: SmsSettings): Record<string, string> => {
  if (token === undefined) return {};
  const colon = header.indexOf(':');
  const value = header.slice(colon + 1).trim();
  return { [header.slice(0, colon)]: value.replaceAll('{{token}}', () => token) };
};

const beginningOf = async (response: Response): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  if (response.body === null) return '';
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    bytes += chunk.byteLength;
    // Leaving the loop cancels the rest.
    if (bytes >= maxAnswerBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, maxAnswerBytes).toString('utf8');
};

const valueAt = (answer: string, path: string): unknown => {
  try {
    let value: unknown = JSON.parse(answer);
    for (const name of path.split('.')) {
      if (value === null || typeof value !== 'object' || !Object.hasOwn(value, name)) return undefined;
      value = Reflect.get(value, name);
    }
    return value;
  } catch {
    return undefined;
  }
};

const messageIdIn = (answer: string, path: string): string | null => {
  const value = valueAt(answer, path);
  const id = typeof value === 'number' ? String(value) : value;
  return typeof id === 'string' && id.length <= maxIdLength && /^\P{Cc}+$/u.test(id) ? id : null;
};

/** Gateways repeat what they refuse: neither recipient nor token may stay in a row or a log. */
const withoutSecrets = (said: string, { to }: Sms, { token, url }: SmsSettings): string =>
  [to.slice(1), ...(token === undefined ? [] : [token]), ...url.searchParams.values()]
    .filter((secret) => secret.length > 3)
    .reduce((text, secret) => text.replaceAll(secret, '…'), said)
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
    .slice(0, 200);

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'no answer';
  if (error.name === 'TimeoutError') return `no answer within ${timeoutMs / 1_000} seconds`;
  const { cause } = error;
  return cause instanceof Error ? `${error.message}: ${cause.message}` : error.message;
};

/** Speaks to any gateway that takes one message by one POST. */
export const createSmsGateway = (settings: SmsSettings, outage: Outage = untoldOutage) => {
  const template = readBodyTemplate(settings.body);
  const ownHeader = headerOf(settings);

  const post = async (sms: Sms, signal: AbortSignal): Promise<{ status: number; answer: string }> => {
    try {
      const response = await fetch(settings.url, {
        method: 'POST',
        headers: {
          'content-type': template.contentType,
          accept: 'application/json',
          'user-agent': 'Pergamin',
          'idempotency-key': sms.reference,
          ...ownHeader,
        },
        body: template.write({ to: sms.to, number: sms.to.slice(1), text: sms.text, reference: sms.reference }),
        // A redirect is not followed, so that the token goes only to the configured address.
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      });
      return { status: response.status, answer: await beginningOf(response) };
    } catch (error) {
      signal.throwIfAborted();
      throw new SmsError(withoutSecrets(reasonOf(error), sms, settings), { isFinal: false, cause: error });
    }
  };

  const send = async (sms: Sms, signal: AbortSignal): Promise<{ messageId: string | null }> => {
    const { status, answer } = await post(sms, signal);
    if (status >= 200 && status <= 299) return { messageId: messageIdIn(answer, settings.messageIdAt) };
    const said = withoutSecrets(answer, sms, settings);
    const isFinal = status >= 400 && status <= 499 && !passingStatuses.has(status);
    throw new SmsError(`HTTP ${status}${said === '' ? '' : `: ${said}`}`, { isFinal });
  };

  return {
    /** The gateway's id of the message, null when it gave none where it was looked for. Throws SmsError when the gateway did not take it. */
    async send(sms: Sms, signal: AbortSignal): Promise<{ messageId: string | null }> {
      try {
        const taken = await send(sms, signal);
        outage.worked();
        return taken;
      } catch (error) {
        if (error instanceof SmsError && !error.isFinal) outage.failed(error);
        else if (error instanceof SmsError) outage.worked();
        throw error;
      }
    },
  };
};
