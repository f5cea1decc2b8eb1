/** What came of trying one thing that the settings name. */
export interface Outcome {
  readonly name: string;
  /** `warning`: it works, and somebody should know; `not tried`: nothing can be said of it. */
  readonly state: 'ok' | 'warning' | 'wrong' | 'not configured' | 'not tried';
  readonly text: string;
}

export type Try = (signal: AbortSignal) => Promise<Outcome | readonly Outcome[]>;

const deadlineMs = 10_000;

const reasons: readonly [RegExp, string][] = [
  [/CERT_HAS_EXPIRED|certificate has expired/, 'its certificate has expired'],
  [/CERT_NOT_YET_VALID|certificate is not yet valid/, 'its certificate is not valid yet: is the clock of this machine right?'],
  [/ERR_TLS_CERT_ALTNAME_INVALID|does not match certificate/, 'its certificate is for another name'],
  [
    /SELF_SIGNED_CERT|self-signed certificate/,
    'its certificate is self-signed, or of an authority that this machine does not trust: name that in NODE_EXTRA_CA_CERTS',
  ],
  [
    /UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT)|unable to (?:verify the first|get local issuer) certificate/,
    'its certificate is of an authority that this machine does not trust, or an intermediate certificate is missing: name it in NODE_EXTRA_CA_CERTS',
  ],
  [/ENOTFOUND|EAI_AGAIN/, 'its name is not known to DNS'],
  [/ECONNREFUSED/, 'nothing listens there'],
  [/ENOENT/, 'nothing listens there: there is no such socket'],
  [/ETIMEDOUT|TimeoutError|UND_ERR_CONNECT_TIMEOUT|AbortError|timed out|timeout/i, 'no answer in time: is a firewall between?'],
  [/ECONNRESET|EPIPE|other side closed/, 'it broke the connection off'],
  [/WRONG_VERSION_NUMBER|wrong version number|packet length too long/, 'it does not speak TLS on this port'],
];

/** Why a connection failed, in words. Only ours, and the error’s code: texts of the other side may repeat what was sent. */
export const reasonOf = (error: unknown): string => {
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  if (!(error instanceof Error)) return 'unknown';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const known = reasons.find(([pattern]) => pattern.test(`${error.name} ${code} ${error.message}`));
  if (known !== undefined) return known[1];
  return error.cause instanceof Error ? reasonOf(error.cause) : code === '' ? error.name : code;
};

/** Whatever is tried has an outcome within ten seconds. */
export const within = async (name: string, attempt: Try): Promise<readonly Outcome[]> => {
  const controller = new AbortController();
  const late = Promise.withResolvers<Outcome>();
  const timer = setTimeout(() => {
    late.resolve({ name, state: 'wrong', text: `no answer within ${deadlineMs / 1_000} seconds` });
    controller.abort();
  }, deadlineMs);
  try {
    return [await Promise.race([attempt(controller.signal), late.promise])].flat();
  } catch (error) {
    return [{ name, state: 'wrong', text: reasonOf(error) }];
  } finally {
    clearTimeout(timer);
  }
};
