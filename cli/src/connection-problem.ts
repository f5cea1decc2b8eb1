/** Why the portal could not be reached, and what to do about it. */
export interface ConnectionProblem {
  readonly sentence: string;
  /** The same call fails again until somebody has put it right. */
  readonly isLasting: boolean;
}

const problems: readonly [codes: RegExp, sentence: string, isLasting: boolean][] = [
  [/^CERT_HAS_EXPIRED$/, 'its certificate has expired: renew it', true],
  [/^CERT_NOT_YET_VALID$/, 'its certificate is not valid yet: is the clock of this machine right?', true],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    'its certificate is for another name: set PERGAMIN_URL to the name that customers use (PUBLIC_URL)',
    true,
  ],
  [
    /SELF_SIGNED_CERT/,
    'its certificate is self-signed, or of an authority that this machine does not know: name the authority’s file in NODE_EXTRA_CA_CERTS',
    true,
  ],
  [
    /^UNABLE_TO_/,
    'its certificate is of an authority that this machine does not know, or the server leaves out an intermediate certificate: name the authority’s file in NODE_EXTRA_CA_CERTS',
    true,
  ],
  [
    /^(?:CERT_|ERR_TLS_CERT|CRL_|INVALID_(?:CA|PURPOSE)$|PATH_LENGTH_EXCEEDED$|HOSTNAME_MISMATCH$|ERROR_IN_)/,
    'its certificate cannot be trusted',
    true,
  ],
  [/^ERR_SSL_|^EPROTO$/, 'it does not speak TLS there: is it http, or another port?', true],
  [/^ENOTFOUND$/, 'its name is not known: is PERGAMIN_URL right?', true],
  [/^EAI_AGAIN$/, 'its name could not be looked up: is there a network?', false],
  [/^ECONNREFUSED$/, 'nothing listens there: does the portal run, and at this address and port?', false],
  [/^(?:EHOSTUNREACH|ENETUNREACH)$/, 'there is no way to it from this machine', false],
  [/^(?:ETIMEDOUT|UND_ERR_(?:CONNECT|HEADERS|BODY)_TIMEOUT)$/, 'it gave no answer in time: is a firewall between?', false],
  [/^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, 'it broke the connection off', false],
];

const codesOf = (error: unknown): string[] => {
  if (!(error instanceof Error)) return [];
  const own = 'code' in error && typeof error.code === 'string' ? [error.code] : [];
  const inner: readonly unknown[] = error instanceof AggregateError ? error.errors : [error.cause];
  return [...own, ...inner.flatMap(codesOf)];
};

/** Of what `fetch` throws. */
export const connectionProblem = (error: unknown): ConnectionProblem | undefined => {
  const codes = codesOf(error);
  for (const [pattern, sentence, isLasting] of problems) {
    const code = codes.find((one) => pattern.test(one));
    if (code !== undefined) return { sentence: `${sentence} (${code})`, isLasting };
  }
  return codes[0] === undefined ? undefined : { sentence: codes[0], isLasting: false };
};
